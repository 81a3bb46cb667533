import { changed, filled, filledUnset, listOf, partOf, textOf } from "../../values/object-parts.ts";
import type { Part } from "../../values/object-parts.ts";
import { canonicalQuantity, canonicalResources } from "../../values/quantity.ts";
import { claimSpecDefaults } from "./volumes.ts";

const probeDefaults = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

const httpDefaults = (value: unknown): unknown => filledUnset(partOf(value), { path: "/", scheme: "HTTP" });

const probe = (value: unknown): unknown => changed(filledUnset(partOf(value), probeDefaults), "httpGet", httpDefaults);

const lifecycle = (value: unknown): unknown =>
  ["postStart", "preStop"].reduce<Part>(
    (part, name) => changed(part, name, (handler) => changed(partOf(handler), "httpGet", httpDefaults)),
    partOf(value),
  );

/** `latest`, or no tag and no digest, is pulled every time. */
const pullPolicy = (image: string): string => {
  const [name = "", digest] = image.split("@");
  const tag = /:([^:/]+)$/.exec(name)?.[1];
  return digest === undefined && (tag === undefined || tag === "latest") ? "Always" : "IfNotPresent";
};

const environment = (value: unknown): unknown =>
  changed(partOf(value), "valueFrom", (source) =>
    changed(partOf(source), "fieldRef", (reference) => filledUnset(partOf(reference), { apiVersion: "v1" })),
  );

const port = (value: unknown): unknown => filledUnset(partOf(value), { protocol: "TCP" });

const container = (value: unknown): unknown => {
  const part = filledUnset(partOf(value), {
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: pullPolicy(textOf(partOf(value)["image"])),
    resources: {},
  });
  const measured = changed(part, "resources", canonicalResources);
  const probed = ["livenessProbe", "readinessProbe", "startupProbe"].reduce<Part>(
    (current, name) => changed(current, name, probe),
    measured,
  );
  const tuned = changed(changed(probed, "lifecycle", lifecycle), "env", (list) => listOf(list).map(environment));
  return changed(tuned, "ports", (list) => listOf(list).map(port));
};

const fieldItems = (value: unknown): unknown =>
  changed(partOf(value), "items", (items) =>
    listOf(items).map((item) =>
      changed(partOf(item), "fieldRef", (reference) => filledUnset(partOf(reference), { apiVersion: "v1" })),
    ),
  );

const projection = (value: unknown): unknown =>
  changed(
    changed(partOf(value), "serviceAccountToken", (token) => filled(partOf(token), { expirationSeconds: 3600 })),
    "downwardAPI",
    fieldItems,
  );

const withMode = (value: unknown): Part => filled(partOf(value), { defaultMode: 0o644 });

const volumeSources: Readonly<Record<string, (value: unknown) => unknown>> = {
  secret: withMode,
  configMap: withMode,
  downwardAPI: (value) => fieldItems(withMode(value)),
  projected: (value) => changed(withMode(value), "sources", (sources) => listOf(sources).map(projection)),
  emptyDir: (value) => changed(partOf(value), "sizeLimit", canonicalQuantity),
  hostPath: (value) => filled(partOf(value), { type: "" }),
  ephemeral: (value) =>
    changed(partOf(value), "volumeClaimTemplate", (template) => changed(partOf(template), "spec", claimSpecDefaults)),
};

const volume = (value: unknown): unknown => {
  const part = partOf(value);
  const named = Object.keys(part).some((name) => name !== "name");
  return named
    ? Object.entries(volumeSources).reduce<Part>((current, [name, change]) => changed(current, name, change), part)
    : { ...part, emptyDir: {} };
};

/** A PodSpec with everything filled in that Kubernetes fills in. */
export const podSpecDefaults = (value: unknown): Part => {
  const spec = filled(
    filledUnset(partOf(value), {
      restartPolicy: "Always",
      dnsPolicy: "ClusterFirst",
      schedulerName: "default-scheduler",
    }),
    { terminationGracePeriodSeconds: 30, securityContext: {} },
  );
  const contained = ["initContainers", "containers", "ephemeralContainers"].reduce<Part>(
    (current, name) => changed(current, name, (list) => listOf(list).map(container)),
    spec,
  );
  const complete = changed(contained, "volumes", (list) => listOf(list).map(volume));
  const account = textOf(complete["serviceAccountName"]) || textOf(complete["serviceAccount"]);
  return account === "" ? complete : filled(complete, { serviceAccountName: account, serviceAccount: account });
};
