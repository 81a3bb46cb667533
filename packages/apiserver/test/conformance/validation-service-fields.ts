import type { ValidationCase } from "./validation-case.ts";
import { svc } from "./validation-objects.ts";

/** Services: what belongs to which type: what a kube-apiserver says about new ones. */
export const serviceFieldsCases: readonly ValidationCase[] = [
  [
    "Service: port 0",
    ...svc({ ports: [{ port: 0 }] }),
    ["Invalid spec.ports[0].port", "Invalid spec.ports[0].targetPort"],
  ],
  [
    "Service: one nodePort of two protocols",
    ...svc({
      type: "NodePort",
      ports: [
        { port: 80, name: "a", protocol: "TCP", nodePort: 30023 },
        { port: 80, name: "b", protocol: "UDP", nodePort: 30023 },
      ],
    }),
    [],
  ],
  [
    "Service: one nodePort of two protocols and ports",
    ...svc({
      type: "NodePort",
      ports: [
        { port: 80, name: "a", protocol: "TCP", nodePort: 30023 },
        { port: 81, name: "b", protocol: "UDP", nodePort: 30023 },
      ],
    }),
    ["Invalid spec.ports[1].nodePort"],
  ],
  [
    "Service: nodePort clusterip",
    ...svc({ ports: [{ port: 80, nodePort: 30000 }] }),
    ["Forbidden spec.ports[0].nodePort"],
  ],
  ["Service: name", ...svc({ ports: [{ port: 80, name: "A_" }] }), ["Invalid spec.ports[0].name"]],
  [
    "Service: name missing",
    ...svc({ ports: [{ port: 80 }, { port: 81 }] }),
    ["Required spec.ports[0].name", "Required spec.ports[1].name"],
  ],
  ["Service: externalIP loopback", ...svc({ externalIPs: ["127.0.0.1"] }), ["Invalid spec.externalIPs[0]"]],
  ["Service: externalIP zero", ...svc({ externalIPs: ["0.0.0.0"] }), ["Invalid spec.externalIPs[0]"]],
  ["Service: externalName bad", ...svc({ type: "ExternalName", externalName: "A_ b" }), ["Invalid spec.externalName"]],
  [
    "Service: source ranges clusterip",
    ...svc({ loadBalancerSourceRanges: ["10.0.0.0/8"] }),
    ["Forbidden spec.LoadBalancerSourceRanges"],
  ],
  [
    "Service: session timeout",
    ...svc({ sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } }),
    ["Invalid spec.sessionAffinityConfig.clientIP.timeoutSeconds"],
  ],
  [
    "Service: session config none",
    ...svc({ sessionAffinity: "None", sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } }),
    [],
  ],
  ["Service: policy clusterip", ...svc({ externalTrafficPolicy: "Local" }), ["Invalid spec.externalTrafficPolicy"]],
  ["Service: healthcheck", ...svc({ healthCheckNodePort: 30001 }), ["Invalid spec.healthCheckNodePort"]],
  ["Service: lbclass", ...svc({ loadBalancerClass: "a" }), ["Forbidden spec.loadBalancerClass"]],
  ["Service: alloc", ...svc({ allocateLoadBalancerNodePorts: true }), ["Forbidden spec.allocateLoadBalancerNodePorts"]],
  ["Service: ipFamily", ...svc({ ipFamilies: ["Foo"] }), ["NotSupported spec.ipFamilies[0]"]],
  ["Service: ipFamily policy", ...svc({ ipFamilyPolicy: "Foo" }), ["NotSupported spec.ipFamilyPolicy"]],
  ["Service: no IPv6", ...svc({ ipFamilies: ["IPv6"] }), ["Invalid spec.ipFamilies[0]"]],
  ["Service: two families", ...svc({ ipFamilies: ["IPv4", "IPv6"] }), ["Invalid spec.ipFamilyPolicy"]],
  ["Service: a family twice", ...svc({ ipFamilies: ["IPv4", "IPv4"] }), ["Duplicate spec.ipFamilies[1]"]],
  ["Service: two families if there are", ...svc({ ipFamilyPolicy: "PreferDualStack" }), []],
  [
    "Service: two families by all means",
    ...svc({ ipFamilyPolicy: "RequireDualStack" }),
    ["Invalid spec.ipFamilyPolicy"],
  ],
  ["Service: clusterIP out", ...svc({ clusterIP: "11.0.0.1" }), ["Invalid spec.clusterIPs"]],
  [
    "Service: appProtocol",
    ...svc({ ports: [{ port: 80, appProtocol: "a b" }] }),
    ["Invalid spec.ports[0].appProtocol"],
  ],
  ["Service: trafficDistribution", ...svc({ trafficDistribution: "Foo" }), ["NotSupported spec.trafficDistribution"]],
  [
    "Service: nodeport dup",
    ...svc({
      type: "NodePort",
      ports: [
        { port: 80, name: "a", nodePort: 30080 },
        { port: 81, name: "b", nodePort: 30080 },
      ],
    }),
    ["Invalid spec.ports[1].nodePort"],
  ],
  ["Service: internal policy", ...svc({ internalTrafficPolicy: "Foo" }), ["NotSupported spec.internalTrafficPolicy"]],
  ["Service: type", ...svc({ type: "Foo" }), ["NotSupported spec.type"]],
];
