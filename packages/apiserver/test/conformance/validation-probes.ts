import type { ValidationCase } from "./validation-case.ts";
import { containing, probed } from "./validation-objects.ts";

const tcp = { tcpSocket: { port: 80 } };

/** Probes, and what containers do as they start and end: what a kube-apiserver says about new ones. */
export const probesCases: readonly ValidationCase[] = [
  [
    "probe: grace 0",
    ...probed({ ...tcp, terminationGracePeriodSeconds: 0 }),
    ["Invalid spec.containers[0].livenessProbe.terminationGracePeriodSeconds"],
  ],
  [
    "probe: grace readiness",
    ...containing({ readinessProbe: { ...tcp, terminationGracePeriodSeconds: 3 } }),
    ["Invalid spec.containers[0].readinessProbe.terminationGracePeriodSeconds"],
  ],
  [
    "probe: header",
    ...probed({ httpGet: { port: 80, httpHeaders: [{ name: "a b", value: "c" }] } }),
    ["Invalid spec.containers[0].livenessProbe.httpGet.httpHeaders"],
  ],
  ["probe: success 0", ...probed({ ...tcp, successThreshold: 0 }), []],
  ["probe: zeros", ...probed({ ...tcp, periodSeconds: 0, timeoutSeconds: 0, failureThreshold: 0 }), []],
  ["probe: path empty", ...probed({ httpGet: { port: 80, path: "" } }), []],
  ["probe: grpc high", ...probed({ grpc: { port: 70000 } }), ["Invalid spec.containers[0].livenessProbe.grpc.port"]],
  [
    "probe: port name digits",
    ...probed({ tcpSocket: { port: "80" } }),
    ["Invalid spec.containers[0].livenessProbe.tcpSocket.port"],
  ],
  [
    "probe: exec and http",
    ...probed({ exec: { command: ["a"] }, httpGet: { port: 80 } }),
    ["Forbidden spec.containers[0].livenessProbe.httpGet"],
  ],
  [
    "lifecycle: sleep long",
    ...containing({ lifecycle: { preStop: { sleep: { seconds: 40 } } } }),
    ["Invalid spec.containers[0].lifecycle.preStop.sleep"],
  ],
  ["lifecycle: sleep 0", ...containing({ lifecycle: { preStop: { sleep: { seconds: 0 } } } }), []],
  [
    "lifecycle: sleep -1",
    ...containing({ lifecycle: { preStop: { sleep: { seconds: -1 } } } }),
    ["Invalid spec.containers[0].lifecycle.preStop.sleep"],
  ],
  ["lifecycle: sleep ok", ...containing({ lifecycle: { preStop: { sleep: { seconds: 4 } } } }), []],
  ["lifecycle: stopSignal", ...containing({ lifecycle: { stopSignal: "SIGFOO" } }), []],
];
