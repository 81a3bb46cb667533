import { createHmac } from "node:crypto";

/** Request that a signature permits. */
export interface Signed {
  readonly method: "GET" | "PUT";
  /** Escaped, with its slash. */
  readonly path: string;
  /** Seconds since the epoch. */
  readonly expires: number;
}

/** Returns the signature of a request. Acme computes it too, to verify that the signer of a URL knows the secret. */
export const signatureOf = ({ method, path, expires }: Signed, secret: string): string =>
  createHmac("sha256", secret).update(`${method}\n${path}\n${expires}`).digest("hex");

/** Escapes more than `encodeURIComponent`, so that both sides write a key in one way. */
export const escaped = (key: string): string =>
  key
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join("/");
