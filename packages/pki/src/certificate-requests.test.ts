import { createPrivateKey, X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createCertificateAuthority, createCertificateRequest } from "./index.ts";
import { requestSubject, signCertificateRequest } from "./certificate-requests.ts";

const now = Date.parse("2026-03-01T12:00:00Z");

describe("certificate requests", () => {
  it("are signed for the key and the subject they were made with", async () => {
    const authority = await createCertificateAuthority({ now });
    const { request, key } = await createCertificateRequest({
      commonName: "system:node:worker-0",
      organizations: ["system:nodes"],
    });
    expect(requestSubject(request)).toEqual({ commonName: "system:node:worker-0", organizations: ["system:nodes"] });
    const certificate = new X509Certificate(
      await signCertificateRequest(authority, request, { now, usages: ["client"] }),
    );
    expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    expect(certificate.subject).toBe("O=system:nodes\nCN=system:node:worker-0");
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
  });

  it("are refused when they were tampered with", async () => {
    const authority = await createCertificateAuthority({ now });
    const { request } = await createCertificateRequest({ commonName: "system:node:worker-0" });
    const bytes = Buffer.from(request.replace(/-----[^-]+-----|\s/g, ""), "base64");
    bytes[bytes.indexOf("worker-0")] = "W".charCodeAt(0);
    const changed = `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
    await expect(signCertificateRequest(authority, changed, { now, usages: ["client"] })).rejects.toThrow(/not signed/);
  });
});
