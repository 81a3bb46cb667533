import { type Causes, forbidden } from "./causes.ts";
import { annotations as annotationCauses, labels as labelCauses } from "./names.ts";
import { isSet, listOf, type Part, partOf, textOf } from "../../values/object-parts.ts";
import { podSpecCauses } from "./pod-spec.ts";

/** With a volume for each template of claims, which hides one of the same name. */
const withClaims = (podSpec: Part, templates: unknown): Part => {
  const names = new Set(listOf(templates).map((template) => textOf(partOf(partOf(template)["metadata"])["name"])));
  if (names.size === 0) {
    return podSpec;
  }
  const claimed = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = listOf(podSpec["volumes"]).filter((volume) => !names.has(textOf(partOf(volume)["name"])));
  return { ...podSpec, volumes: [...claimed, ...others] };
};

/** Causes of a template of Pods that run until they are stopped. `namesPods`: what it calls them does not count, they get other names. */
export const podTemplateCauses = (spec: Part, namesPods = false): Causes => {
  if (!isSet(spec["template"])) {
    return [];
  }
  const { metadata, spec: given } = partOf(spec["template"]);
  const podSpec = namesPods ? { ...partOf(given), hostname: undefined, subdomain: undefined } : given;
  const { activeDeadlineSeconds, ephemeralContainers } = partOf(podSpec);
  const field = "spec.template.spec";
  return [
    ...labelCauses("spec.template.labels", partOf(metadata)["labels"]),
    ...annotationCauses("spec.template.annotations", partOf(metadata)["annotations"]),
    ...podSpecCauses(withClaims(partOf(podSpec), spec["volumeClaimTemplates"]), field, ["Always"]),
    ...(listOf(ephemeralContainers).length > 0
      ? [forbidden(`${field}.ephemeralContainers`, "ephemeral containers not allowed in pod template")]
      : []),
    ...(isSet(activeDeadlineSeconds)
      ? [forbidden(`${field}.activeDeadlineSeconds`, "activeDeadlineSeconds is not supported here")]
      : []),
  ];
};
