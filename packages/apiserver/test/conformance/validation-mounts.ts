import type { ValidationCase } from "./validation-case.ts";
import { pod, containing, mnt } from "./validation-objects.ts";

/** Mounts of volumes and block devices: what a kube-apiserver says about new ones. */
export const mountsCases: readonly ValidationCase[] = [
  [
    "mount: both subpaths",
    ...mnt({ subPath: "a", subPathExpr: "b" }),
    ["Invalid spec.containers[0].volumeMounts[0].subPathExpr"],
  ],
  ["mount: abs up", ...mnt({ subPath: "/../a" }), ["Invalid spec.containers[0].volumeMounts.subPath"]],
  [
    "mount: propagation",
    ...mnt({ mountPropagation: "Foo" }),
    ["NotSupported spec.containers[0].volumeMounts.mountPropagation"],
  ],
  [
    "mount: propagation bidi",
    ...mnt({ mountPropagation: "Bidirectional" }),
    ["Forbidden spec.containers[0].volumeMounts.mountPropagation"],
  ],
  [
    "mount: rro",
    ...mnt({ recursiveReadOnly: "Foo" }),
    ["NotSupported spec.containers[0].volumeMounts.recursiveReadOnly"],
  ],
  [
    "mount: rro enabled not readonly",
    ...mnt({ recursiveReadOnly: "Enabled" }),
    ["Forbidden spec.containers[0].volumeMounts.recursiveReadOnly"],
  ],
  [
    "mount: name empty",
    ...mnt({ name: "" }),
    ["NotFound spec.containers[0].volumeMounts[0].name", "Required spec.containers[0].volumeMounts[0].name"],
  ],
  [
    "device: device no vol",
    ...containing({ volumeDevices: [{ name: "v", devicePath: "/a" }] }),
    ["NotFound spec.containers[0].volumeDevices[0].name"],
  ],
  [
    "device: device not block",
    ...pod({ volumes: [{ name: "v" }] }, { volumeDevices: [{ name: "v", devicePath: "/a" }] }),
    ["Invalid spec.containers[0].volumeDevices[0].name"],
  ],
  [
    "device: device ok",
    ...pod(
      { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "x" } }] },
      { volumeDevices: [{ name: "v", devicePath: "/a" }] },
    ),
    [],
  ],
  [
    "device: device empty",
    ...pod(
      { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "x" } }] },
      { volumeDevices: [{ name: "", devicePath: "" }] },
    ),
    [
      "NotFound spec.containers[0].volumeDevices[0].name",
      "Required spec.containers[0].volumeDevices[0].devicePath",
      "Required spec.containers[0].volumeDevices[0].name",
    ],
  ],
  [
    "device: device and mount",
    ...pod(
      { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "x" } }] },
      { volumeMounts: [{ name: "v", mountPath: "/a" }], volumeDevices: [{ name: "v", devicePath: "/a" }] },
    ),
    [
      "Invalid spec.containers[0].volumeDevices[0].devicePath",
      "Invalid spec.containers[0].volumeDevices[0].name",
      "Invalid spec.containers[0].volumeMounts[0].mountPath",
      "Invalid spec.containers[0].volumeMounts[0].name",
    ],
  ],
];
