import { createCertificateAuthority } from "@capstan/pki";
import { fakeClock } from "@capstan/testing";

/** A certificate for `balancer.example`, PEM, with its key. */
export const certificate = await createCertificateAuthority({
  commonName: "balancer.example",
  now: fakeClock().now(),
});
