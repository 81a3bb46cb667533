import { pkcs12Pem } from "@capstan/pki";

/** Certificate and private key as PEM, whichever of PEM and PKCS#12 they stand in. Throws `pki.bad_key`. */
export const certificateText = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes).toString("latin1");
  return text.includes("-----BEGIN") ? text : pkcs12Pem(bytes);
};
