const untrusted = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_UNTRUSTED)/;

/** Extracts the cause from a message: without Node's advice, and without the numbers around one of OpenSSL. */
const wordsOf = (message: string): string =>
  /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message.replace(/;.*$/s, "");

const reasons: readonly (readonly [RegExp, (url: URL, message: string) => string])[] = [
  [
    untrusted,
    ({ host }, message) =>
      `the certificate of ${host} is not trusted (${wordsOf(message)}); set NODE_EXTRA_CA_CERTS to the file of its authority, or NODE_USE_SYSTEM_CA=1 if this computer trusts it`,
  ],
  [/^ERR_SSL_WRONG_VERSION_NUMBER$/, ({ host }) => `${host} does not speak TLS; did you mean http://?`],
  [/^ERR_SSL_|^EPROTO$/, ({ host }, message) => `the TLS handshake with ${host} failed (${wordsOf(message)})`],
  [/^ENOTFOUND$/, ({ hostname }, message) => `host ${hostname} not found (${message})`],
  [/^EAI_AGAIN$/, ({ hostname }, message) => `temporary DNS failure for ${hostname} (${message})`],
  [/^ECONNREFUSED$/, ({ host }, message) => `connection refused by ${host} (${message})`],
  [
    /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    ({ host }, message) => `${host} closed the connection before the response was complete (${message})`,
  ],
  [/^UND_ERR_CONNECT_TIMEOUT$/, ({ host }) => `${host} does not answer`],
];

/** Why a text could not be fetched, in words that say what to do where that is not plain. */
export const whyNotFetched = (error: unknown, at: string, timeoutMs: number): string => {
  const { name, message, code = "" } = error as Error & { readonly code?: unknown };
  if (code === "ERR_INVALID_URL") return "this is not a URL";
  const url = new URL(at);
  if (name === "TimeoutError") return `${url.host} did not complete its response within ${timeoutMs / 1000} s`;
  return reasons.find(([pattern]) => pattern.test(String(code)))?.[1](url, message) ?? message;
};
