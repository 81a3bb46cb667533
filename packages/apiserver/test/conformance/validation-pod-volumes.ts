import type { ValidationCase } from "./validation-case.ts";
import { vol } from "./validation-objects.ts";

/** Volumes of Pods: what a kube-apiserver says about new ones. */
export const podVolumesCases: readonly ValidationCase[] = [
  ["Pod volume: none known", ...vol({ gitRepo: { repository: "" } }), ["Required spec.volumes[0].gitRepo.repository"]],
  [
    "Pod volume: nfs empty",
    ...vol({ nfs: { server: "", path: "a" } }),
    ["Invalid spec.volumes[0].nfs.path", "Required spec.volumes[0].nfs.server"],
  ],
  ["Pod volume: nfs rel", ...vol({ nfs: { server: "a", path: "a" } }), ["Invalid spec.volumes[0].nfs.path"]],
  ["Pod volume: csi", ...vol({ csi: {} }), ["Required spec.volumes[0].csi.driver"]],
  ["Pod volume: csi name", ...vol({ csi: { driver: "A_ b" } }), ["Invalid spec.volumes[0].csi.driver"]],
  ["Pod volume: ephemeral", ...vol({ ephemeral: {} }), ["Required spec.volumes[0].ephemeral.volumeClaimTemplate"]],
  [
    "Pod volume: ephemeral spec",
    ...vol({ ephemeral: { volumeClaimTemplate: { spec: {} } } }),
    [
      "Required spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes",
      "Required spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]",
    ],
  ],
  ["Pod volume: projected none", ...vol({ projected: { sources: [{}] } }), []],
  [
    "Pod volume: projected two",
    ...vol({ projected: { sources: [{ secret: { name: "a" }, configMap: { name: "b" } }] } }),
    ["Forbidden spec.volumes[0].projected.sources[0]"],
  ],
  [
    "Pod volume: projected secret",
    ...vol({ projected: { sources: [{ secret: {} }] } }),
    ["Required spec.volumes[0].projected.sources[0].secret.name"],
  ],
  [
    "Pod volume: projected conflict",
    ...vol({
      projected: {
        sources: [
          { secret: { name: "a", items: [{ key: "k", path: "p" }] } },
          { configMap: { name: "b", items: [{ key: "k", path: "p" }] } },
        ],
      },
    }),
    ["Invalid spec.volumes[0].projected"],
  ],
  [
    "Pod volume: projected token",
    ...vol({ projected: { sources: [{ serviceAccountToken: { path: "a", expirationSeconds: 5 } }] } }),
    ["Invalid spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds"],
  ],
  [
    "Pod volume: projected token path",
    ...vol({ projected: { sources: [{ serviceAccountToken: { path: "../a" } }] } }),
    ["Invalid spec.volumes[0].projected.path"],
  ],
  [
    "Pod volume: projected mode",
    ...vol({ projected: { defaultMode: 1000, sources: [] } }),
    ["Invalid spec.volumes[0].projected.defaultMode"],
  ],
  [
    "Pod volume: downward none",
    ...vol({ downwardAPI: { items: [{ path: "a" }] } }),
    ["Required spec.volumes[0].downwardAPI"],
  ],
  [
    "Pod volume: downward both",
    ...vol({
      downwardAPI: {
        items: [
          {
            path: "a",
            fieldRef: { fieldPath: "metadata.name" },
            resourceFieldRef: { containerName: "c", resource: "limits.cpu" },
          },
        ],
      },
    }),
    ["Invalid spec.volumes[0].downwardAPI"],
  ],
  [
    "Pod volume: downward field",
    ...vol({ downwardAPI: { items: [{ path: "a", fieldRef: { fieldPath: "spec.nodeName" } }] } }),
    ["NotSupported spec.volumes[0].downwardAPI.fieldRef.fieldPath"],
  ],
  [
    "Pod volume: downward field bad",
    ...vol({ downwardAPI: { items: [{ path: "a", fieldRef: { fieldPath: "foo" } }] } }),
    ["Invalid spec.volumes[0].downwardAPI.fieldRef.fieldPath"],
  ],
  [
    "Pod volume: downward labels",
    ...vol({ downwardAPI: { items: [{ path: "a", fieldRef: { fieldPath: "metadata.labels" } }] } }),
    [],
  ],
  [
    "Pod volume: downward res",
    ...vol({
      downwardAPI: { items: [{ path: "a", resourceFieldRef: { containerName: "", resource: "limits.cpu" } }] },
    }),
    ["Required spec.volumes[0].downwardAPI.resourceFieldRef.containerName"],
  ],
  [
    "Pod volume: downward path",
    ...vol({ downwardAPI: { items: [{ path: "..a", fieldRef: { fieldPath: "metadata.name" } }] } }),
    ["Invalid spec.volumes[0].downwardAPI.path"],
  ],
  [
    "Pod volume: secret ..a",
    ...vol({ secret: { secretName: "s", items: [{ key: "k", path: "..a" }] } }),
    ["Invalid spec.volumes[0].secret.items[0].path"],
  ],
  [
    "Pod volume: secret mode item",
    ...vol({ secret: { secretName: "s", items: [{ key: "k", path: "a", mode: 512 }] } }),
    ["Invalid spec.volumes[0].secret.items[0].mode"],
  ],
  ["Pod volume: secret key bad", ...vol({ secret: { secretName: "s", items: [{ key: "a b", path: "a" }] } }), []],
  ["Pod volume: emptyDir medium", ...vol({ emptyDir: { medium: "Foo" } }), []],
  [
    "Pod volume: image",
    ...vol({ image: { reference: "", pullPolicy: "Foo" } }),
    ["NotSupported spec.volumes[0].image.pullPolicy", "Required spec.volumes[0].image.reference"],
  ],
  [
    "Pod volume: hostPath type and up",
    ...vol({ hostPath: { path: "../x" } }),
    ["Invalid spec.volumes[0].hostPath.path"],
  ],
  [
    "Pod volume: cm two",
    ...vol({ configMap: { name: "a" }, secret: { secretName: "b" } }),
    ["Forbidden spec.volumes[0].configMap"],
  ],
  [
    "Pod volume: nfs and cm",
    ...vol({ configMap: { name: "a" }, nfs: { server: "b", path: "/c" } }),
    ["Forbidden spec.volumes[0].configMap"],
  ],
  [
    "Pod volume: azureDisk and cm",
    ...vol({ configMap: { name: "a" }, azureFile: { secretName: "b", shareName: "c" } }),
    ["Forbidden spec.volumes[0].azureFile"],
  ],
];
