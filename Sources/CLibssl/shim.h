// The server's side of OpenSSL 3's libssl, for the demo server.
#ifndef TURNSTONE_CLIBSSL_SHIM_H
#define TURNSTONE_CLIBSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#endif
