import { integer, sequence, tagged } from "./asn1/der.ts";
import { generateKeys, type KeyAlgorithm, privateKeyPem } from "./keys.ts";
import { distinguishedName, pemBlock, publicKeyInfo, signed } from "./signed.ts";

/** A PKCS#10 request as PEM, and the private key it was made with. */
export interface CertificateRequest {
  readonly request: string;
  readonly key: string;
}

/** A request for a certificate; the kubelet's default algorithm is ECDSA P-256. */
export const createCertificateRequest = async (options: {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly algorithm?: KeyAlgorithm;
}): Promise<CertificateRequest> => {
  const keys = await generateKeys(options.algorithm ?? "ECDSA-P256");
  const content = sequence(
    integer(Buffer.alloc(1)),
    distinguishedName(options.commonName, options.organizations),
    publicKeyInfo(keys.publicKey),
    // No attributes.
    tagged(0xa0),
  );
  const request = pemBlock("CERTIFICATE REQUEST", await signed(content, keys.privateKey));
  return { request, key: privateKeyPem(keys.privateKey) };
};
