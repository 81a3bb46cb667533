import type { KubeObject } from "@capstan/schema";
import type { PrinterColumn } from "../../model/types.ts";
import {
  ageColumn,
  at,
  column,
  count,
  createdColumn,
  nameColumn,
  orNone,
  partAt,
  partsAt,
  textAt,
  wide,
} from "../../table/column.ts";

type Columns = readonly PrinterColumn[];

const orUnset = (text: string): string => (text === "" ? "<unset>" : text);

const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

const accessModes = (value: unknown): string =>
  Object.keys(modes)
    .filter((mode) => Array.isArray(value) && value.includes(mode))
    .map((mode) => modes[mode])
    .join(",");

const phase = (object: KubeObject): string =>
  object.metadata.deletionTimestamp === undefined ? textAt(object, "status", "phase") : "Terminating";

const text =
  (...path: readonly string[]) =>
  (object: KubeObject): string =>
    textAt(object, ...path);

const flag = (name: string, description: string, ...path: readonly string[]): PrinterColumn => ({
  ...column(name, description, (object) => at(object, ...path) === true),
  type: "boolean",
});

const volumeModeColumn = wide(
  column("VolumeMode", "Filesystem or Block.", (object) => orUnset(textAt(object, "spec", "volumeMode"))),
);
const attributesColumn = column("VolumeAttributesClass", "Class of changeable attributes.", (object) =>
  orUnset(textAt(object, "spec", "volumeAttributesClassName")),
);

const claimColumns: Columns = [
  nameColumn,
  column("Status", "Pending, Bound or Lost.", phase),
  column("Volume", "Volume that is bound.", text("spec", "volumeName")),
  column("Capacity", "Size of the volume.", (object) =>
    textAt(object, "spec", "volumeName") === "" ? "" : String(partAt(object, "status", "capacity")["storage"] ?? "0"),
  ),
  column("Access Modes", "How it may be mounted.", (object) =>
    textAt(object, "spec", "volumeName") === "" ? "" : accessModes(at(object, "status", "accessModes")),
  ),
  column("StorageClass", "Class of storage.", text("spec", "storageClassName")),
  attributesColumn,
  ageColumn,
  volumeModeColumn,
];

const volumeColumns: Columns = [
  nameColumn,
  column("Capacity", "Size of the volume.", (object) => String(partAt(object, "spec", "capacity")["storage"] ?? "0")),
  column("Access Modes", "How it may be mounted.", (object) => accessModes(at(object, "spec", "accessModes"))),
  column("Reclaim Policy", "What becomes of it without a claim.", text("spec", "persistentVolumeReclaimPolicy")),
  column("Status", "Available, Bound, Released or Failed.", phase),
  column("Claim", "Claim that is bound.", (object) => {
    const { namespace, name } = partAt(object, "spec", "claimRef");
    return name === undefined ? "" : `${String(namespace)}/${String(name)}`;
  }),
  column("StorageClass", "Class of storage.", text("spec", "storageClassName")),
  attributesColumn,
  column("Reason", "Why it is in this state.", text("status", "reason")),
  ageColumn,
  volumeModeColumn,
];

const isDefaultClass = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true";

/** Columns of storage kinds, by `group/plural`. */
export const storageColumns: Readonly<Record<string, Columns>> = {
  "/persistentvolumeclaims": claimColumns,
  "/persistentvolumes": volumeColumns,
  "storage.k8s.io/csidrivers": [
    nameColumn,
    flag("AttachRequired", "Whether volumes are attached.", "spec", "attachRequired"),
    flag("PodInfoOnMount", "Whether the driver is told of the Pod.", "spec", "podInfoOnMount"),
    flag("StorageCapacity", "Whether the driver reports capacity.", "spec", "storageCapacity"),
    column("TokenRequests", "Audiences of tokens.", (object) =>
      partsAt(object, "spec", "tokenRequests").length === 0
        ? "<unset>"
        : partsAt(object, "spec", "tokenRequests")
            .map((request) => textAt(request, "audience"))
            .join(","),
    ),
    flag("RequiresRepublish", "Whether volumes are published again.", "spec", "requiresRepublish"),
    column("Modes", "Life cycles of volumes.", (object) =>
      orNone(((at(object, "spec", "volumeLifecycleModes") ?? []) as readonly string[]).join(",")),
    ),
    ageColumn,
  ],
  "storage.k8s.io/csinodes": [
    nameColumn,
    count("Drivers", "Drivers on the node.", (object) => partsAt(object, "spec", "drivers").length),
    ageColumn,
  ],
  "storage.k8s.io/csistoragecapacities": [nameColumn, createdColumn],
  "storage.k8s.io/storageclasses": [
    {
      ...nameColumn,
      cell: (object) => `${object.metadata.name ?? ""}${isDefaultClass(object) ? " (default)" : ""}`,
    },
    column("Provisioner", "Who makes volumes.", text("provisioner")),
    column("ReclaimPolicy", "What becomes of volumes without a claim.", text("reclaimPolicy")),
    column("VolumeBindingMode", "When volumes are made.", text("volumeBindingMode")),
    column("AllowVolumeExpansion", "Whether volumes may grow.", (object) =>
      String(at(object, "allowVolumeExpansion") === true),
    ),
    ageColumn,
  ],
  "storage.k8s.io/volumeattachments": [
    nameColumn,
    column("Attacher", "Who attaches.", text("spec", "attacher")),
    column("PV", "Volume.", text("spec", "source", "persistentVolumeName")),
    column("Node", "Node.", text("spec", "nodeName")),
    flag("Attached", "Whether it is attached.", "status", "attached"),
    ageColumn,
  ],
  "storage.k8s.io/volumeattributesclasses": [
    nameColumn,
    column("DriverName", "Driver.", text("driverName")),
    ageColumn,
  ],
};
