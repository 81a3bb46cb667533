import type { ValidationCase } from "./validation-case.ts";

const c = (more: object = {}) => ({ name: "c", image: "i", ...more });
const podSpec = (more: object = {}, container: object = {}) => ({ containers: [c(container)], ...more });
const pod = (more?: object, container?: object) => ["/api/v1", "pods", { spec: podSpec(more, container) }] as const;
const res = (limits?: object, requests?: object) => ({ resources: { limits, requests } });

/** Containers of Pods: what a kube-apiserver says about new ones. */
export const containersCases: readonly ValidationCase[] = [
  ["Pod: image spaces", ...pod({}, { image: " i " }), ["Invalid spec.containers[0].image"]],
  ["Pod: container name bad", ...pod({}, { name: "C_1" }), ["Invalid spec.containers[0].name"]],
  [
    "Pod: container port 0",
    ...pod({}, { ports: [{ containerPort: 0 }] }),
    ["Required spec.containers[0].ports[0].containerPort"],
  ],
  [
    "Pod: container port high",
    ...pod({}, { ports: [{ containerPort: 70000 }] }),
    ["Invalid spec.containers[0].ports[0].containerPort"],
  ],
  [
    "Pod: hostPort high",
    ...pod({}, { ports: [{ containerPort: 80, hostPort: 70000 }] }),
    ["Invalid spec.containers[0].ports[0].hostPort"],
  ],
  [
    "Pod: port protocol",
    ...pod({}, { ports: [{ containerPort: 80, protocol: "HTTP" }] }),
    ["NotSupported spec.containers[0].ports[0].protocol"],
  ],
  [
    "Pod: port name bad",
    ...pod({}, { ports: [{ containerPort: 80, name: "THE_PORT" }] }),
    ["Invalid spec.containers[0].ports[0].name"],
  ],
  [
    "Pod: port name long",
    ...pod({}, { ports: [{ containerPort: 80, name: "abcdefghijklmnop" }] }),
    ["Invalid spec.containers[0].ports[0].name"],
  ],
  [
    "Pod: port name twice",
    ...pod(
      {},
      {
        ports: [
          { containerPort: 80, name: "a" },
          { containerPort: 81, name: "a" },
        ],
      },
    ),
    ["Duplicate spec.containers[0].ports[1].name"],
  ],
  [
    "Pod: hostPort twice",
    ...pod(
      {},
      {
        ports: [
          { containerPort: 80, hostPort: 80 },
          { containerPort: 81, hostPort: 80 },
        ],
      },
    ),
    ["Duplicate spec.containers[0].ports[1].hostPort"],
  ],
  ["Pod: pullPolicy", ...pod({}, { imagePullPolicy: "x" }), ["NotSupported spec.containers[0].imagePullPolicy"]],
  [
    "Pod: limits below requests",
    ...pod({}, res({ cpu: "1" }, { cpu: "2" })),
    ["Invalid spec.containers[0].resources.requests"],
  ],
  [
    "Pod: limits below requests memory",
    ...pod({}, res({ memory: "1Gi" }, { memory: "1025Mi" })),
    ["Invalid spec.containers[0].resources.requests"],
  ],
  ["Pod: requests ok", ...pod({}, res({ cpu: "1", memory: "1Gi" }, { cpu: "1000m", memory: "1024Mi" })), []],
  [
    "Pod: resource negative",
    ...pod({}, res({ cpu: "-1" }, undefined)),
    ["Invalid spec.containers[0].resources.limits[cpu]", "Invalid spec.containers[0].resources.requests[cpu]"],
  ],
  ["Pod: resource bad quantity", ...pod({}, res({ cpu: "abc" }, undefined)), 400],
  [
    "Pod: resource unknown",
    ...pod({}, res({ foo: "1" }, undefined)),
    ["Invalid spec.containers[0].resources.limits[foo]", "Invalid spec.containers[0].resources.requests[foo]"],
  ],
  [
    "Pod: resource extended only request",
    ...pod({}, res(undefined, { "example.org/gpu": "1" })),
    ["Required spec.containers[0].resources.limits"],
  ],
  [
    "Pod: resource extended fraction",
    ...pod({}, res({ "example.org/gpu": "1500m" }, { "example.org/gpu": "1500m" })),
    [
      "Invalid spec.containers[0].resources.limits[example.org/gpu]",
      "Invalid spec.containers[0].resources.requests[example.org/gpu]",
    ],
  ],
  ["Pod: env no name", ...pod({}, { env: [{ value: "x" }] }), ["Required spec.containers[0].env[0].name"]],
  ["Pod: env bad name", ...pod({}, { env: [{ name: "a=b", value: "x" }] }), ["Invalid spec.containers[0].env[0].name"]],
  ["Pod: env digit name", ...pod({}, { env: [{ name: "1a", value: "x" }] }), []],
  [
    "Pod: env value and from",
    ...pod({}, { env: [{ name: "A", value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] }),
    ["Invalid spec.containers[0].env[0].valueFrom"],
  ],
  [
    "Pod: env two sources",
    ...pod(
      {},
      {
        env: [
          {
            name: "A",
            valueFrom: { fieldRef: { fieldPath: "metadata.name" }, configMapKeyRef: { name: "c", key: "k" } },
          },
        ],
      },
    ),
    ["Invalid spec.containers[0].env[0].valueFrom"],
  ],
  [
    "Pod: env empty source",
    ...pod({}, { env: [{ name: "A", valueFrom: {} }] }),
    ["Invalid spec.containers[0].env[0].valueFrom"],
  ],
  [
    "Pod: env field bad",
    ...pod({}, { env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.foo" } } }] }),
    ["Invalid spec.containers[0].env[0].valueFrom.fieldRef.fieldPath"],
  ],
  [
    "Pod: env cm key empty",
    ...pod({}, { env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "c", key: "" } } }] }),
    ["Required spec.containers[0].env[0].valueFrom.configMapKeyRef.key"],
  ],
  [
    "Pod: env cm key bad",
    ...pod({}, { env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "c", key: "a b" } } }] }),
    ["Invalid spec.containers[0].env[0].valueFrom.configMapKeyRef.key"],
  ],
  ["Pod: envFrom none", ...pod({}, { envFrom: [{}] }), ["Invalid spec.containers[0].envFrom"]],
  [
    "Pod: envFrom two",
    ...pod({}, { envFrom: [{ configMapRef: { name: "a" }, secretRef: { name: "b" } }] }),
    ["Invalid spec.containers[0].envFrom"],
  ],
  [
    "Pod: mount no volume",
    ...pod({}, { volumeMounts: [{ name: "v", mountPath: "/a" }] }),
    ["NotFound spec.containers[0].volumeMounts[0].name"],
  ],
  ["Pod: probe none", ...pod({}, { livenessProbe: {} }), ["Required spec.containers[0].livenessProbe"]],
  [
    "Pod: probe two",
    ...pod({}, { livenessProbe: { httpGet: { port: 80 }, tcpSocket: { port: 80 } } }),
    ["Forbidden spec.containers[0].livenessProbe.tcpSocket"],
  ],
  [
    "Pod: probe http port",
    ...pod({}, { livenessProbe: { httpGet: { port: 0 } } }),
    ["Invalid spec.containers[0].livenessProbe.httpGet.port"],
  ],
  [
    "Pod: probe http port name",
    ...pod({}, { livenessProbe: { httpGet: { port: "a_b" } } }),
    ["Invalid spec.containers[0].livenessProbe.httpGet.port"],
  ],
  [
    "Pod: probe http scheme",
    ...pod({}, { livenessProbe: { httpGet: { port: 80, scheme: "FTP" } } }),
    ["NotSupported spec.containers[0].livenessProbe.httpGet.scheme"],
  ],
  [
    "Pod: probe exec empty",
    ...pod({}, { livenessProbe: { exec: {} } }),
    ["Required spec.containers[0].livenessProbe.exec.command"],
  ],
  [
    "Pod: probe tcp port",
    ...pod({}, { readinessProbe: { tcpSocket: { port: 70000 } } }),
    ["Invalid spec.containers[0].readinessProbe.tcpSocket.port"],
  ],
  [
    "Pod: probe grpc port",
    ...pod({}, { readinessProbe: { grpc: { port: 0 } } }),
    ["Invalid spec.containers[0].readinessProbe.grpc.port"],
  ],
  [
    "Pod: probe negative",
    ...pod(
      {},
      {
        livenessProbe: {
          tcpSocket: { port: 80 },
          initialDelaySeconds: -1,
          timeoutSeconds: -1,
          periodSeconds: -1,
          failureThreshold: -1,
        },
      },
    ),
    [
      "Invalid spec.containers[0].livenessProbe.failureThreshold",
      "Invalid spec.containers[0].livenessProbe.initialDelaySeconds",
      "Invalid spec.containers[0].livenessProbe.periodSeconds",
      "Invalid spec.containers[0].livenessProbe.timeoutSeconds",
    ],
  ],
  [
    "Pod: probe success threshold",
    ...pod({}, { livenessProbe: { tcpSocket: { port: 80 }, successThreshold: 2 } }),
    ["Invalid spec.containers[0].livenessProbe.successThreshold"],
  ],
  [
    "Pod: probe startup success threshold",
    ...pod({}, { startupProbe: { tcpSocket: { port: 80 }, successThreshold: 2 } }),
    ["Invalid spec.containers[0].startupProbe.successThreshold"],
  ],
  [
    "Pod: lifecycle none",
    ...pod({}, { lifecycle: { preStop: {} } }),
    ["Required spec.containers[0].lifecycle.preStop"],
  ],
  [
    "Pod: lifecycle exec",
    ...pod({}, { lifecycle: { preStop: { exec: { command: [] } } } }),
    ["Required spec.containers[0].lifecycle.preStop.exec.command"],
  ],
  ["Pod: container restart", ...pod({}, { restartPolicy: "Never" }), []],
  [
    "Pod: container runAsUser",
    ...pod({}, { securityContext: { runAsUser: -1 } }),
    ["Invalid spec.containers[0].securityContext.runAsUser"],
  ],
  [
    "Pod: termination policy",
    ...pod({}, { terminationMessagePolicy: "Foo" }),
    ["NotSupported spec.containers[0].terminationMessagePolicy"],
  ],
];
