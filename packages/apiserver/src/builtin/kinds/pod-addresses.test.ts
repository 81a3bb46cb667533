import { expect, it } from "vitest";
import { withPodAddresses } from "./pod-addresses.ts";

const four = { ip: "10.0.0.7" };
const six = { ip: "fd00::7" };

it.each([
  [{ podIP: "10.0.0.7" }, { podIP: "10.0.0.7", podIPs: [four] }],
  [{ podIPs: [four, six] }, { podIP: "10.0.0.7", podIPs: [four, six] }],
  [
    { podIP: "10.0.0.7", podIPs: [four, six] },
    { podIP: "10.0.0.7", podIPs: [four, six] },
  ],
  [
    { podIP: "10.0.0.9", podIPs: [four, six] },
    { podIP: "10.0.0.9", podIPs: [{ ip: "10.0.0.9" }] },
  ],
  [{ phase: "Pending" }, { phase: "Pending" }],
])("%j becomes %j", (status, expected) => {
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, status };
  expect(withPodAddresses(pod)["status"]).toEqual(expected);
});
