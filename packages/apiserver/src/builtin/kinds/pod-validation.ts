import type { Cause } from "@capstan/schema/structural";
import { dnsLabel, oneOf, required, unique } from "./causes.ts";
import type { Causes } from "./causes.ts";
import { listOf, partOf, textOf } from "./object-parts.ts";
import type { Part } from "./object-parts.ts";

const containerCauses = (container: Part, field: string, volumes: ReadonlySet<string>): Causes => [
  ...(textOf(container["name"]) === "" ? [required(`${field}.name`)] : dnsLabel(`${field}.name`, container["name"])),
  ...(textOf(container["image"]) === "" ? [required(`${field}.image`)] : []),
  ...oneOf(`${field}.imagePullPolicy`, container["imagePullPolicy"], ["Always", "IfNotPresent", "Never"]),
  ...listOf(container["volumeMounts"]).flatMap((value, index) => {
    const name = textOf(partOf(value)["name"]);
    return name === "" || volumes.has(name) ? [] : [notFound(`${field}.volumeMounts[${index}].name`, name)];
  }),
];

const notFound = (field: string, value: unknown): Cause => ({
  reason: "FieldValueNotFound",
  field,
  message: `Not found: ${JSON.stringify(value)}`,
});

const nameOf = (item: unknown): unknown => partOf(item)["name"];

/** Causes of a PodSpec: names, images, mounts, policies. */
export const podSpecCauses = (
  spec: Part,
  field: string,
  restartPolicies: readonly string[] = ["Always", "OnFailure", "Never"],
): Causes => {
  const volumes = listOf(spec["volumes"]).map(partOf);
  const volumeNames = new Set(volumes.map((volume) => textOf(volume["name"])));
  const containers = ["initContainers", "containers"].flatMap((list) =>
    listOf(spec[list]).map((value, index) => ({ value: partOf(value), field: `${field}.${list}[${index}]` })),
  );
  return [
    ...(listOf(spec["containers"]).length === 0 ? [required(`${field}.containers`)] : []),
    ...containers.flatMap((container) => containerCauses(container.value, container.field, volumeNames)),
    ...unique(
      containers.map(({ value }) => value),
      nameOf,
      (index) => `${containers[index]?.field ?? field}.name`,
    ),
    ...volumes.flatMap((volume, index) => dnsLabel(`${field}.volumes[${index}].name`, volume["name"])),
    ...unique(volumes, nameOf, (index) => `${field}.volumes[${index}].name`),
    ...oneOf(`${field}.restartPolicy`, spec["restartPolicy"], restartPolicies),
    ...oneOf(`${field}.dnsPolicy`, spec["dnsPolicy"], ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"]),
  ];
};
