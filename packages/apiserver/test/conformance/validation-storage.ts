import type { ValidationCase } from "./validation-case.ts";
import { pvc, pv } from "./validation-objects.ts";

/** Claims and volumes: places and sources: what a kube-apiserver says about new ones. */
export const storageCases: readonly ValidationCase[] = [
  ["claim: dataSource", ...pvc({ dataSource: { kind: "Foo", name: "a" } }), []],
  [
    "claim: dataSourceRef",
    ...pvc({ dataSourceRef: { kind: "Foo", name: "a" } }),
    ["Invalid spec.dataSource", "Invalid spec.dataSourceRef"],
  ],
  [
    "claim: two sources",
    ...pvc({
      dataSource: { kind: "PersistentVolumeClaim", name: "a" },
      dataSourceRef: { kind: "PersistentVolumeClaim", name: "b" },
    }),
    ["Invalid spec"],
  ],
  ["claim: vac", ...pvc({ volumeAttributesClassName: "A_" }), ["Invalid spec.volumeAttributesClassName"]],
  ["claim: modes dup", ...pvc({ accessModes: ["ReadWriteOnce", "ReadWriteOnce"] }), []],
  ["claim: modes many bad", ...pvc({ accessModes: ["Foo", "Bar"] }), ["NotSupported spec.accessModes"]],
  ["claim: storage fraction", ...pvc({ resources: { requests: { storage: "0.1" } } }), []],
  ["volume: zero", ...pv({ capacity: { storage: "0" } }), ["Invalid spec.capacity[storage]"]],
  ["volume: neg", ...pv({ capacity: { storage: "-1" } }), ["Invalid spec.capacity[storage]"]],
  ["volume: two capacities", ...pv({ capacity: { storage: "1Gi", cpu: "1" } }), ["NotSupported spec.capacity"]],
  [
    "volume: recycle root",
    ...pv({ hostPath: { path: "/" }, persistentVolumeReclaimPolicy: "Recycle" }),
    ["Forbidden spec.persistentVolumeReclaimPolicy"],
  ],
  ["volume: hostPath up", ...pv({ hostPath: { path: "/a/../b" } }), ["Invalid spec.hostPath.path"]],
  ["volume: hostPath empty", ...pv({ hostPath: { path: "" } }), ["Required spec.hostPath.path"]],
  ["volume: nodeAffinity none", ...pv({ nodeAffinity: {} }), ["Required spec.nodeAffinity.required"]],
  ["volume: local none", ...pv({ hostPath: undefined, local: { path: "/a" } }), ["Required spec.nodeAffinity"]],
  [
    "volume: csi empty",
    ...pv({ hostPath: undefined, csi: { driver: "", volumeHandle: "" } }),
    ["Required spec.csi.driver", "Required spec.csi.volumeHandle"],
  ],
  ["volume: volumeMode", ...pv({ volumeMode: "Foo" }), ["NotSupported spec.volumeMode"]],
  ["volume: class bad", ...pv({ storageClassName: "A_" }), ["Invalid spec.storageClassName"]],
];
