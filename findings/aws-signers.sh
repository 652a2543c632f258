#!/usr/bin/env bash
# Amazon's signature, version 4, of the same URL by four signers. For S3 each name of a path is encoded once, and nothing is normalised, since a//b is the name of an object; for all
# other services the path is normalised, and encoded once more than it is sent. aws-request-signer and httpx-auth encode once for every service, and requests-aws4auth takes two slashes for one
# at S3, too. An encoded slash within a name is a slash to httpx-auth, and at S3 to requests-aws4auth. A query is signed decoded and encoded anew by three; by botocore as it
# stands. What each of them has signed is found out by signing every candidate.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check aws-request-signer==1.2.0 botocore==1.44.8 httpx==0.28.1 httpx-auth==0.23.1 requests==2.34.2 requests-aws4auth==1.4.0
cd "$work"
env/bin/python - <<'END' | tee seen
import aws_request_signer, botocore.auth, botocore.awsrequest, botocore.credentials, hashlib, hmac, httpx, httpx_auth, importlib.metadata as packages, re, requests, requests_aws4auth

key, secret, region = "AKIDEXAMPLE", "secret", "us-east-1"
empty = hashlib.sha256(b"").hexdigest()

def sign(path, query, headers, service):
    names = re.search("SignedHeaders=([^,]+)", headers["authorization"])[1]
    date = headers["x-amz-date"]
    fields = "".join(f"{name}:{headers[name]}\n" for name in names.split(";"))
    request = "\n".join(["GET", path, query, fields, names, empty])
    scope = f"{date[:8]}/{region}/{service}/aws4_request"
    text = f"AWS4-HMAC-SHA256\n{date}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
    signing = ("AWS4" + secret).encode()
    for part in scope.split("/"): signing = hmac.new(signing, part.encode(), "sha256").digest()
    return hmac.new(signing, text.encode(), "sha256").hexdigest()

def with_botocore(url, service):
    request = botocore.awsrequest.AWSRequest("GET", url)
    kind = botocore.auth.S3SigV4Auth if service == "s3" else botocore.auth.SigV4Auth
    kind(botocore.credentials.Credentials(key, secret), service, region).add_auth(request)
    return request.headers

def with_aws_request_signer(url, service):
    return aws_request_signer.AwsRequestSigner(region, key, secret, service).sign_with_headers("GET", url, content_hash=empty)

signers = {
    "aws-request-signer": with_aws_request_signer, "botocore": with_botocore,
    "httpx-auth": lambda url, service: next(httpx_auth.AWS4Auth(key, secret, region, service).auth_flow(httpx.Request("GET", url))).headers,
    "requests-aws4auth": lambda url, service: requests_aws4auth.AWS4Auth(key, secret, region, service)(requests.Request("GET", url).prepare()).headers,
}
paths = ["/", "/a b", "/a%20b", "/a%2520b", "/a//b", "/a/b", "/a%2Fb", "/a%252Fb", "/a=b", "/a%3Db", "/a%253Db"]
queries = ["", "x=a%20b", "x=a+b", "x=a%2Bb", "x=%41", "x=A", "x=a=b", "x=a%3Db", "x=a"]
for name in signers: print(name, packages.version(name))
for service, target in [("s3", "/a%20b"), ("es", "/a%20b"), ("s3", "/a//b"), ("es", "/a//b"), ("s3", "/a%2Fb"), ("es", "/a%2Fb"), ("s3", "/a=b"),
                        ("s3", "/?x=a+b"), ("s3", "/?x=%41"), ("s3", "/?x=a=b")]:
    print(service, target)
    for name, signer in signers.items():
        headers = {field.lower(): value if isinstance(value, str) else value.decode() for field, value in signer("https://h.example" + target, service).items()}
        headers.setdefault("host", "h.example")
        signature = re.search("Signature=(.*)", headers["authorization"])[1]
        found = [path + (query and "?" + query) for path in paths for query in queries if sign(path, query, headers, service) == signature]
        print(f"    {name}: {found[0] if found else 'another'}")
END
diff - seen <<'END'
aws-request-signer 1.2.0
botocore 1.44.8
httpx-auth 0.23.1
requests-aws4auth 1.4.0
s3 /a%20b
    aws-request-signer: /a%20b
    botocore: /a%20b
    httpx-auth: /a%20b
    requests-aws4auth: /a%20b
es /a%20b
    aws-request-signer: /a%20b
    botocore: /a%2520b
    httpx-auth: /a%20b
    requests-aws4auth: /a%2520b
s3 /a//b
    aws-request-signer: /a//b
    botocore: /a//b
    httpx-auth: /a//b
    requests-aws4auth: /a/b
es /a//b
    aws-request-signer: /a//b
    botocore: /a/b
    httpx-auth: /a/b
    requests-aws4auth: /a/b
s3 /a%2Fb
    aws-request-signer: /a%2Fb
    botocore: /a%2Fb
    httpx-auth: /a/b
    requests-aws4auth: /a/b
es /a%2Fb
    aws-request-signer: /a%2Fb
    botocore: /a%252Fb
    httpx-auth: /a/b
    requests-aws4auth: /a%252Fb
s3 /a=b
    aws-request-signer: /a=b
    botocore: /a=b
    httpx-auth: /a%3Db
    requests-aws4auth: /a%3Db
s3 /?x=a+b
    aws-request-signer: /?x=a%20b
    botocore: /?x=a+b
    httpx-auth: /?x=a%20b
    requests-aws4auth: /?x=a%20b
s3 /?x=%41
    aws-request-signer: /?x=A
    botocore: /?x=%41
    httpx-auth: /?x=A
    requests-aws4auth: /?x=A
s3 /?x=a=b
    aws-request-signer: /?x=a%3Db
    botocore: /?x=a=b
    httpx-auth: /?x=a%3Db
    requests-aws4auth: /?x=a%3Db
END
