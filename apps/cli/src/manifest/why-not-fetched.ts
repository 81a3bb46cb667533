const untrusted = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_UNTRUSTED)/;

/** Of a message of Node without its advice, of one of OpenSSL without the numbers around it, what says what is wrong. */
const wordsOf = (message: string): string =>
  /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message.replace(/;.*$/s, "");

const reasons: readonly (readonly [RegExp, (url: URL, message: string) => string])[] = [
  [
    untrusted,
    ({ host }, message) =>
      `the certificate of ${host} is not trusted here (${wordsOf(message)}); name the file of its authority in the variable NODE_EXTRA_CA_CERTS, or set NODE_USE_SYSTEM_CA=1 where this computer trusts it`,
  ],
  [/^ERR_SSL_WRONG_VERSION_NUMBER$/, ({ host }) => `${host} speaks no TLS; http:// may be meant`],
  [/^ERR_SSL_|^EPROTO$/, ({ host }, message) => `no TLS connection to ${host} comes about (${wordsOf(message)})`],
  [/^ENOTFOUND$/, ({ hostname }, message) => `there is no host ${hostname} (${message})`],
  [/^EAI_AGAIN$/, ({ hostname }, message) => `the address of ${hostname} cannot be looked up now (${message})`],
  [/^ECONNREFUSED$/, ({ host }, message) => `nothing listens at ${host} (${message})`],
  [
    /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    ({ host }, message) => `${host} ended the connection before its answer was whole (${message})`,
  ],
  [/^UND_ERR_CONNECT_TIMEOUT$/, ({ host }) => `${host} does not answer`],
];

/** Why a text could not be fetched, in words that say what to do where that is not plain. */
export const whyNotFetched = (error: unknown, at: string, timeoutMs: number): string => {
  const { name, message, code = "" } = error as Error & { readonly code?: unknown };
  if (code === "ERR_INVALID_URL") return "this is not a URL";
  const url = new URL(at);
  if (name === "TimeoutError") return `${url.host} has not answered in full within ${timeoutMs / 1000} s`;
  return reasons.find(([pattern]) => pattern.test(String(code)))?.[1](url, message) ?? message;
};
