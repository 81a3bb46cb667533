import { createCertificateAuthority, issueCertificate, renderKubeconfig } from "@capstan/pki";
import { fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";

it("the README's quick start is a kubeconfig of an administrator", async () => {
  const clock = fakeClock();
  const ca = await createCertificateAuthority({ now: clock.now() });
  const admin = await issueCertificate(ca, {
    now: clock.now(),
    commonName: "kubernetes-admin",
    organizations: ["system:masters"],
    usages: ["client"],
  });
  const kubeconfig = renderKubeconfig({
    server: "https://203.0.113.40:6443",
    certificateAuthority: ca.certificate,
    clusterName: "orchid",
    userName: "orchid-admin",
    clientCertificate: admin.certificate,
    clientKey: admin.key,
  });
  expect(kubeconfig).toContain("https://203.0.113.40:6443");
});
