import type { ValidationCase } from "./validation-case.ts";
import { containing, env, probed, limited } from "./validation-objects.ts";

/** Containers of Pods: what a kube-apiserver says about new ones. */
export const containersCases: readonly ValidationCase[] = [
  ["Pod: image spaces", ...containing({ image: " i " }), ["Invalid spec.containers[0].image"]],
  ["Pod: container name bad", ...containing({ name: "C_1" }), ["Invalid spec.containers[0].name"]],
  [
    "Pod: container port 0",
    ...containing({ ports: [{ containerPort: 0 }] }),
    ["Required spec.containers[0].ports[0].containerPort"],
  ],
  [
    "Pod: container port high",
    ...containing({ ports: [{ containerPort: 70000 }] }),
    ["Invalid spec.containers[0].ports[0].containerPort"],
  ],
  [
    "Pod: hostPort high",
    ...containing({ ports: [{ containerPort: 80, hostPort: 70000 }] }),
    ["Invalid spec.containers[0].ports[0].hostPort"],
  ],
  [
    "Pod: port protocol",
    ...containing({ ports: [{ containerPort: 80, protocol: "HTTP" }] }),
    ["NotSupported spec.containers[0].ports[0].protocol"],
  ],
  [
    "Pod: port name bad",
    ...containing({ ports: [{ containerPort: 80, name: "THE_PORT" }] }),
    ["Invalid spec.containers[0].ports[0].name"],
  ],
  [
    "Pod: port name long",
    ...containing({ ports: [{ containerPort: 80, name: "abcdefghijklmnop" }] }),
    ["Invalid spec.containers[0].ports[0].name"],
  ],
  [
    "Pod: port name twice",
    ...containing({
      ports: [
        { containerPort: 80, name: "a" },
        { containerPort: 81, name: "a" },
      ],
    }),
    ["Duplicate spec.containers[0].ports[1].name"],
  ],
  [
    "Pod: hostPort twice",
    ...containing({
      ports: [
        { containerPort: 80, hostPort: 80 },
        { containerPort: 81, hostPort: 80 },
      ],
    }),
    ["Duplicate spec.containers[0].ports[1].hostPort"],
  ],
  ["Pod: pullPolicy", ...containing({ imagePullPolicy: "x" }), ["NotSupported spec.containers[0].imagePullPolicy"]],
  [
    "Pod: limits below requests",
    ...limited({ cpu: "1" }, { cpu: "2" }),
    ["Invalid spec.containers[0].resources.requests"],
  ],
  [
    "Pod: limits below requests memory",
    ...limited({ memory: "1Gi" }, { memory: "1025Mi" }),
    ["Invalid spec.containers[0].resources.requests"],
  ],
  ["Pod: requests ok", ...limited({ cpu: "1", memory: "1Gi" }, { cpu: "1000m", memory: "1024Mi" }), []],
  [
    "Pod: resource negative",
    ...limited({ cpu: "-1" }),
    ["Invalid spec.containers[0].resources.limits[cpu]", "Invalid spec.containers[0].resources.requests[cpu]"],
  ],
  ["Pod: resource bad quantity", ...limited({ cpu: "abc" }), 400],
  [
    "Pod: resource unknown",
    ...limited({ foo: "1" }),
    ["Invalid spec.containers[0].resources.limits[foo]", "Invalid spec.containers[0].resources.requests[foo]"],
  ],
  [
    "Pod: resource extended only request",
    ...limited({}, { "example.org/gpu": "1" }),
    ["Required spec.containers[0].resources.limits"],
  ],
  [
    "Pod: resource extended fraction",
    ...limited({ "example.org/gpu": "1500m" }, { "example.org/gpu": "1500m" }),
    [
      "Invalid spec.containers[0].resources.limits[example.org/gpu]",
      "Invalid spec.containers[0].resources.requests[example.org/gpu]",
    ],
  ],
  ["Pod: env no name", ...containing({ env: [{ value: "x" }] }), ["Required spec.containers[0].env[0].name"]],
  [
    "Pod: env bad name",
    ...containing({ env: [{ name: "a=b", value: "x" }] }),
    ["Invalid spec.containers[0].env[0].name"],
  ],
  ["Pod: env digit name", ...containing({ env: [{ name: "1a", value: "x" }] }), []],
  [
    "Pod: env value and from",
    ...env({ value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }),
    ["Invalid spec.containers[0].env[0].valueFrom"],
  ],
  [
    "Pod: env two sources",
    ...containing({
      env: [
        {
          name: "A",
          valueFrom: { fieldRef: { fieldPath: "metadata.name" }, configMapKeyRef: { name: "c", key: "k" } },
        },
      ],
    }),
    ["Invalid spec.containers[0].env[0].valueFrom"],
  ],
  ["Pod: env empty source", ...env({ valueFrom: {} }), ["Invalid spec.containers[0].env[0].valueFrom"]],
  [
    "Pod: env field bad",
    ...env({ valueFrom: { fieldRef: { fieldPath: "metadata.foo" } } }),
    ["Invalid spec.containers[0].env[0].valueFrom.fieldRef.fieldPath"],
  ],
  [
    "Pod: env cm key empty",
    ...env({ valueFrom: { configMapKeyRef: { name: "c", key: "" } } }),
    ["Required spec.containers[0].env[0].valueFrom.configMapKeyRef.key"],
  ],
  [
    "Pod: env cm key bad",
    ...env({ valueFrom: { configMapKeyRef: { name: "c", key: "a b" } } }),
    ["Invalid spec.containers[0].env[0].valueFrom.configMapKeyRef.key"],
  ],
  ["Pod: envFrom none", ...containing({ envFrom: [{}] }), ["Invalid spec.containers[0].envFrom"]],
  [
    "Pod: envFrom two",
    ...containing({ envFrom: [{ configMapRef: { name: "a" }, secretRef: { name: "b" } }] }),
    ["Invalid spec.containers[0].envFrom"],
  ],
  [
    "Pod: mount no volume",
    ...containing({ volumeMounts: [{ name: "v", mountPath: "/a" }] }),
    ["NotFound spec.containers[0].volumeMounts[0].name"],
  ],
  ["Pod: probe none", ...probed({}), ["Required spec.containers[0].livenessProbe"]],
  [
    "Pod: probe two",
    ...probed({ httpGet: { port: 80 }, tcpSocket: { port: 80 } }),
    ["Forbidden spec.containers[0].livenessProbe.tcpSocket"],
  ],
  [
    "Pod: probe http port",
    ...probed({ httpGet: { port: 0 } }),
    ["Invalid spec.containers[0].livenessProbe.httpGet.port"],
  ],
  [
    "Pod: probe http port name",
    ...probed({ httpGet: { port: "a_b" } }),
    ["Invalid spec.containers[0].livenessProbe.httpGet.port"],
  ],
  [
    "Pod: probe http scheme",
    ...probed({ httpGet: { port: 80, scheme: "FTP" } }),
    ["NotSupported spec.containers[0].livenessProbe.httpGet.scheme"],
  ],
  ["Pod: probe exec empty", ...probed({ exec: {} }), ["Required spec.containers[0].livenessProbe.exec.command"]],
  [
    "Pod: probe tcp port",
    ...containing({ readinessProbe: { tcpSocket: { port: 70000 } } }),
    ["Invalid spec.containers[0].readinessProbe.tcpSocket.port"],
  ],
  [
    "Pod: probe grpc port",
    ...containing({ readinessProbe: { grpc: { port: 0 } } }),
    ["Invalid spec.containers[0].readinessProbe.grpc.port"],
  ],
  [
    "Pod: probe negative",
    ...containing({
      livenessProbe: {
        tcpSocket: { port: 80 },
        initialDelaySeconds: -1,
        timeoutSeconds: -1,
        periodSeconds: -1,
        failureThreshold: -1,
      },
    }),
    [
      "Invalid spec.containers[0].livenessProbe.failureThreshold",
      "Invalid spec.containers[0].livenessProbe.initialDelaySeconds",
      "Invalid spec.containers[0].livenessProbe.periodSeconds",
      "Invalid spec.containers[0].livenessProbe.timeoutSeconds",
    ],
  ],
  [
    "Pod: probe success threshold",
    ...probed({ tcpSocket: { port: 80 }, successThreshold: 2 }),
    ["Invalid spec.containers[0].livenessProbe.successThreshold"],
  ],
  [
    "Pod: probe startup success threshold",
    ...containing({ startupProbe: { tcpSocket: { port: 80 }, successThreshold: 2 } }),
    ["Invalid spec.containers[0].startupProbe.successThreshold"],
  ],
  [
    "Pod: lifecycle none",
    ...containing({ lifecycle: { preStop: {} } }),
    ["Required spec.containers[0].lifecycle.preStop"],
  ],
  [
    "Pod: lifecycle exec",
    ...containing({ lifecycle: { preStop: { exec: { command: [] } } } }),
    ["Required spec.containers[0].lifecycle.preStop.exec.command"],
  ],
  ["Pod: container restart", ...containing({ restartPolicy: "Never" }), []],
  [
    "Pod: container runAsUser",
    ...containing({ securityContext: { runAsUser: -1 } }),
    ["Invalid spec.containers[0].securityContext.runAsUser"],
  ],
  [
    "Pod: termination policy",
    ...containing({ terminationMessagePolicy: "Foo" }),
    ["NotSupported spec.containers[0].terminationMessagePolicy"],
  ],
];
