import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";

describe("redact", () => {
  it.each([
    [
      "kubeadm's flags",
      "kubeadm join 10.0.0.1:6443 --token abcdef.0123456789abcdef --certificate-key 'deadbeef' --v 5",
      "kubeadm join 10.0.0.1:6443 --token [redacted] --certificate-key '[redacted]' --v 5",
    ],
    ["a token by itself", "using abcdef.0123456789abcdef.", "using [redacted]."],
    ["a token of k3s", "K10a0b1::server:f00d is not valid", "[redacted] is not valid"],
    [
      "a signed URL",
      "GET https://s.example/b/k?X-Amz-Signature=ab&x=1 403",
      "GET https://s.example/b/k?[redacted] 403",
    ],
    ["the rest of a signed URL", "b?sv=2024&sig=aB%2Bc%3D&sp=r gone", "b?sv=2024&sig=[redacted]&sp=r gone"],
    ["a password in a URL", "fetch https://me:pw@s.example/x", "fetch https://[redacted]@s.example/x"],
    ["a header", "Authorization: Bearer abc.def-ghi0123", "Authorization: Bearer [redacted]"],
    ["a line of YAML", '  apiToken: "x1"', '  apiToken: "[redacted]"'],
    ["a variable", "export AWS_SECRET_ACCESS_KEY=x1; run", "export AWS_SECRET_ACCESS_KEY=[redacted]; run"],
    ["an access key", "AKIAIOSFODNN7EXAMPLE", "[redacted]"],
    ["a block", "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb", "a\n[redacted]\nb"],
    ["a block that is cut off", "a\n-----BEGIN CERTIFICATE-----\nMIIE\nMIIF", "a\n[redacted]"],
  ])("takes out %s", (_case, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it("leaves the digest of an authority alone, and no other", () => {
    const digest = "0123456789abcdef".repeat(4);
    const text = `none of the public keys ["sha256:${digest}"] are pinned`;
    expect(redact(text)).toBe(text);
    expect(redact(`key ${digest}, sha256:${digest}${digest}`)).toBe("key [redacted], sha256:[redacted]");
  });

  it("leaves alone what helps", () => {
    const text = [
      "[preflight] Running pre-flight checks",
      "\t[ERROR FileAvailable--etc-kubernetes-kubelet.conf]: /etc/kubernetes/kubelet.conf already exists",
      "error execution phase preflight: couldn't validate the identity of the API Server: Get https://10.0.0.1:6443/api: dial tcp 10.0.0.1:6443: connect: connection refused",
      "2026-11-22 10:00:00,123 - cc_scripts_user.py[WARNING]: Failed to run module scripts-user (scripts in /var/lib/cloud/instance/scripts)",
      'cloud-init[812]: failed to pull image "registry.k8s.io/kube-apiserver:v1.33.4": context deadline exceeded',
    ].join("\n");
    expect(redact(text)).toBe(text);
  });

  const hex = fc.stringMatching(/^[0-9a-f]{64}$/);
  const base64 = fc.uint8Array({ minLength: 32, maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("base64"));
  const token = fc.stringMatching(/^[a-z0-9]{6}\.[a-z0-9]{16}$/);
  const word = fc.stringMatching(/^[A-Za-z0-9_]{12,24}$/);
  const noise = fc.stringMatching(/^[a-z0-9 [\]:"'=\n]{0,30}$/);
  const secrets: readonly (readonly [string, fc.Arbitrary<readonly [secret: string, text: string]>])[] = [
    ["certificate keys", hex.map((key) => [key, key])],
    ["encoded files", base64.map((text) => [text.slice(0, 40), text])],
    ["tokens", token.map((text) => [text, text])],
    ["values of flags", word.map((text) => [text, `--discovery-token=${text}`])],
    ["values of keys", word.map((text) => [text, `client-key-data: ${text}`])],
    ["signatures", word.map((text) => [text, `https://s.example/k?X-Amz-Signature=${text}`])],
    ["blocks", word.map((text) => [text, `-----BEGIN PRIVATE KEY-----\n${text}\n-----END PRIVATE KEY-----`])],
  ];
  it.each(secrets)("keeps no %s, whatever stands around them", (_case, arbitrary) => {
    fc.assert(
      fc.property(noise, arbitrary, noise, (before, [secret, text], after) => {
        expect(redact(`${before}\n ${text} \n${after}`)).not.toContain(secret);
      }),
    );
  });
});
