import { rootCertificates } from "node:tls";
import type { S3Client } from "@aws-sdk/client-s3";
import { s3Defaults, type S3ObjectStoreOptions } from "./options.ts";
import type { StoreSettings } from "./settings.ts";
import { withoutForeignAnswers } from "./foreign-answers.ts";

/** The SDK, loaded when a store is first used. */
export const loadSdk = async () => {
  const [s3, presigner, handler, http, https] = await Promise.all([
    import("@aws-sdk/client-s3"),
    import("@aws-sdk/s3-request-presigner"),
    import("@smithy/node-http-handler"),
    import("node:http"),
    import("node:https"),
  ]);
  return {
    ...s3,
    getSignedUrl: presigner.getSignedUrl,
    NodeHttpHandler: handler.NodeHttpHandler,
    HttpAgent: http.Agent,
    HttpsAgent: https.Agent,
  };
};

export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/**
 * Stores that are older than the SDK's checksum extensions refuse them, so they are off unless an operation requires
 * them. Everything the SDK would otherwise read from the environment or from shared files is given.
 */
export const createClient = (sdk: Sdk, settings: StoreSettings, options: S3ObjectStoreOptions): S3Client => {
  const proxy = options.proxyFor?.(settings.endpoint);
  options.guard?.check(settings.endpoint);
  const agentOptions = {
    keepAlive: false,
    ...(proxy === undefined && options.guard !== undefined && { lookup: options.guard.lookup }),
    ...(proxy !== undefined && { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
  };
  return new sdk.S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    credentials: { accessKeyId: settings.accessKey, secretAccessKey: settings.secretKey },
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    retryMode: "standard",
    maxAttempts: options.maxAttempts ?? s3Defaults.maxAttempts,
    defaultsMode: "standard",
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    useArnRegion: false,
    disableMultiregionAccessPoints: true,
    disableS3ExpressSessionAuth: true,
    userAgentAppId: "capstan",
    requestHandler: withoutForeignAnswers(
      new sdk.NodeHttpHandler({
        connectionTimeout: options.connectTimeoutMs ?? s3Defaults.connectTimeoutMs,
        requestTimeout: options.requestTimeoutMs ?? s3Defaults.requestTimeoutMs,
        throwOnRequestTimeout: true,
        httpAgent: new sdk.HttpAgent(agentOptions),
        httpsAgent: new sdk.HttpsAgent({
          ...agentOptions,
          ...(settings.ca === undefined ? {} : { ca: [...rootCertificates, settings.ca] }),
        }),
      }),
    ),
  });
};
