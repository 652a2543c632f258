// Digests and message authentication codes of OpenSSL 3's libcrypto.
#ifndef TURNSTONE_CLIBCRYPTO_SHIM_H
#define TURNSTONE_CLIBCRYPTO_SHIM_H

#include <openssl/crypto.h>
#include <openssl/evp.h>

#endif
