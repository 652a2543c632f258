import Testing

@testable import NetworkLayer

@Suite struct AWSEndpointTests {
    @Test(
        arguments: [
            ("dynamodb.eu-west-1.amazonaws.com", "dynamodb", "eu-west-1"),
            ("streams.dynamodb.eu-west-1.amazonaws.com", "dynamodb", "eu-west-1"),
            ("DynamoDB-FIPS.us-gov-west-1.amazonaws.com", "dynamodb", "us-gov-west-1"),
            ("s3.amazonaws.com", "s3", "us-east-1"),
            ("bucket.s3.amazonaws.com", "s3", "us-east-1"),
            ("s3-eu-west-1.amazonaws.com", "s3", "eu-west-1"),
            ("bucket.s3-eu-west-1.amazonaws.com", "s3", "eu-west-1"),
            ("my.bucket.s3.dualstack.eu-west-1.amazonaws.com", "s3", "eu-west-1"),
            ("bucket.s3.cn-north-1.amazonaws.com.cn", "s3", "cn-north-1"),
            ("bucket.vpce-1a2b3c4d.s3.us-east-1.vpce.amazonaws.com", "s3", "us-east-1"),
            ("name-123456789012.s3-accesspoint.eu-west-1.amazonaws.com", "s3", "eu-west-1"),
            ("123456789012.s3-control.eu-west-1.amazonaws.com", "s3", "eu-west-1"),
            ("bucket.s3express-euw1-az5.eu-west-1.amazonaws.com", "s3express", "eu-west-1"),
            ("id.execute-api.us-west-2.amazonaws.com", "execute-api", "us-west-2"),
            ("id.lambda-url.eu-central-1.on.aws", "lambda", "eu-central-1"),
            ("id.appsync-api.eu-central-1.amazonaws.com", "appsync", "eu-central-1"),
            ("search-shop-x1.eu-central-1.es.amazonaws.com", "es", "eu-central-1"),
            ("x1.eu-central-1.aoss.amazonaws.com", "aoss", "eu-central-1"),
            ("email.eu-west-1.amazonaws.com", "ses", "eu-west-1"),
            ("bedrock-runtime.us-east-1.amazonaws.com", "bedrock", "us-east-1"),
            ("iot.eu-west-1.amazonaws.com", "iot", "eu-west-1"),
            ("a1b2-ats.iot.eu-west-1.amazonaws.com", "iotdata", "eu-west-1"),
            ("lambda.eu-west-1.api.aws", "lambda", "eu-west-1"),
            ("iam.amazonaws.com", "iam", "us-east-1"),
            ("iam.us-gov.amazonaws.com", "iam", "us-gov-west-1"),
            ("iam.global.api.aws", "iam", "us-east-1"),
            ("route53.amazonaws.com.cn", "route53", "cn-northwest-1"),
            ("s3.us-west-004.backblazeb2.com", "s3", "us-west-004"),
            ("bucket.s3.eu-central-1.wasabisys.com", "s3", "eu-central-1"),
            ("api.eu-west-2.outscale.com", "api", "eu-west-2"),
            ("bucket.s3-accelerate.amazonaws.com", "s3", nil),
            ("example.com", nil, nil),
            ("localhost", nil, nil),
            ("127.0.0.1", nil, nil),
            ("::1", nil, nil),
            ("amazonaws.com", nil, nil),
        ] as [(String, String?, String?)])
    func `a host's name says service and region`(host: String, service: String?, region: String?) {
        let endpoint = AWSEndpoint(host: host)
        #expect(endpoint.service == service)
        #expect(endpoint.region == region)
    }
}
