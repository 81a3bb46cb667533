import { createHash } from "node:crypto";
import { createCertificateAuthority, readCertificate } from "@capstan/pki";
import { describe, expect, it } from "vitest";
import { pinnedToken } from "./pinned-token.ts";

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe("a token that pins an authority", async () => {
  const { certificate } = await createCertificateAuthority({ now: Date.UTC(2026, 0), algorithm: "ECDSA-P256" });

  it("has the digest of the file as servers have it, however the Secret ends its lines", () => {
    const expected = `K10${sha256(`${certificate.trimEnd()}\n`)}::server:password`;
    for (const text of [
      certificate,
      certificate.trimEnd(),
      `${certificate}\n\n`,
      certificate.replaceAll("\n", "\r\n"),
    ]) {
      expect(pinnedToken("password", text, "server")).toBe(expected);
    }
  });

  it("has that of the root where others are in the file", async () => {
    const other = await createCertificateAuthority({ now: Date.UTC(2026, 0), algorithm: "ECDSA-P256" });
    const root = sha256(readCertificate(certificate).raw);
    expect(pinnedToken("password", `${certificate}${other.certificate}`, "node")).toBe(`K10${root}::node:password`);
  });

  it("stays as it is when it does so already", () => {
    expect(pinnedToken("K10abc::server:password", certificate, "server")).toBe("K10abc::server:password");
  });
});
