/** Returns whether a code of Node says that a certificate was not accepted, such as `DEPTH_ZERO_SELF_SIGNED_CERT`. */
export const isTlsFailure = (code: string): boolean => /^(?:ERR_TLS_|UNABLE_TO_)|CERT/.test(code);
