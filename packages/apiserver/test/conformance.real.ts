import { issueCertificate } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { describe, it } from "vitest";
import { conformance } from "./conformance/conformance.ts";
import { carolSubject, users } from "./embedded-server.ts";
import { realServerExceptions } from "./real-server-exceptions.ts";

const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";

if (assets === "") {
  describe("a real kube-apiserver", () => {
    it("answers as the cases say", ({ skip }) =>
      skip("KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver"));
  });
} else {
  conformance(async () => {
    const server = await startKubeApiserver({ assets, users });
    const carol = await issueCertificate(server.certificateAuthority, {
      ...carolSubject,
      now: systemClock.now(),
      algorithm: "ECDSA-P256",
    });
    return {
      target: {
        url: server.url,
        caCertificate: server.certificateAuthority.certificate,
        tokens: { admin: "token-admin", alice: "token-alice", bob: "token-bob" },
        carol,
      },
      stop: () => server.stop(),
    };
  }, realServerExceptions);
}
