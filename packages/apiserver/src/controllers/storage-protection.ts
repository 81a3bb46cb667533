import { keyFromText, keyOf, keyText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { listOf, partOf, specOf, statusOf, textOf } from "../values/object-parts.ts";
import type { AdmissionPlugin, ExtensionEnvironment, ExtensionFactory } from "../registry/extension.ts";
import { controller } from "./controller.ts";

const claims = { group: "", plural: "persistentvolumeclaims" } as const;
const volumes = { group: "", plural: "persistentvolumes" } as const;
const pods = { group: "", plural: "pods" } as const;

/** The finalizer of each kind that is protected. */
const finalizers: Readonly<Record<string, string>> = {
  [claims.plural]: "kubernetes.io/pvc-protection",
  [volumes.plural]: "kubernetes.io/pv-protection",
};

const withFinalizer = (object: KubeObject, name: string): KubeObject => {
  const { finalizers: before = [] } = object.metadata;
  return before.includes(name)
    ? object
    : { ...object, metadata: { ...object.metadata, finalizers: [...before, name] } };
};

/** Gives new claims and volumes their finalizer. */
const protection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  admit: async ({ operation, subresource, definition, object }) => {
    const name = definition.group === "" ? finalizers[definition.plural] : undefined;
    return operation === "CREATE" && subresource === "" && name !== undefined && object !== undefined
      ? withFinalizer(object, name)
      : undefined;
  },
};

/** Returns whether nothing of a Pod runs any more, and its kubelet has said so. */
const isShutDown = ({ metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;

/** The claims that a Pod uses: none before it is on a Node, where no one starts it with a claim that goes. */
const claimsOf = (pod: KubeObject): readonly string[] =>
  textOf(specOf(pod)["nodeName"]) === ""
    ? []
    : listOf(specOf(pod)["volumes"]).flatMap((volume) => {
        const { name, persistentVolumeClaim, ephemeral } = partOf(volume);
        const claim = textOf(partOf(persistentVolumeClaim)["claimName"]);
        const own = ephemeral === undefined || isShutDown(pod) ? "" : `${pod.metadata.name ?? ""}-${textOf(name)}`;
        return [claim, own].filter((used) => used !== "");
      });

const isUsed = (object: KubeObject, plural: string, { store }: ExtensionEnvironment): boolean => {
  const { namespace = "", name = "" } = object.metadata;
  return plural === volumes.plural
    ? statusOf(object)["phase"] === "Bound"
    : store.peekAll(pods, { namespace }).some((pod) => claimsOf(pod).includes(name));
};

/**
 * Keeps claims that Pods use, and volumes that are bound, until they are not: they have a finalizer from the start, which is taken off
 * when they are deleted and no one needs them.
 */
export const storageProtection: ExtensionFactory = (environment) => {
  const { store } = environment;

  const reconcile = async (text: string): Promise<void> => {
    const [plural = "", rest = ""] = text.split(" ");
    const ref = { group: "", plural };
    const object = store.peek(ref, keyFromText(rest));
    const name = finalizers[plural] ?? "";
    if (object === undefined) return;
    if (object.metadata.deletionTimestamp === undefined) {
      const guarded = withFinalizer(object, name);
      if (guarded !== object) await store.update(ref, guarded, { admitted: true });
      return;
    }
    const { finalizers: before = [] } = object.metadata;
    if (!before.includes(name) || isUsed(object, plural, environment)) return;
    const kept = before.filter((other) => other !== name);
    await store.update(ref, { ...object, metadata: { ...object.metadata, finalizers: kept } }, { admitted: true });
  };

  return {
    ...controller(environment, {
      name: "storage-protection",
      watch: (add) => [
        ...[claims, volumes].map((ref) =>
          store.watch(ref, ({ object }) => add(`${ref.plural} ${keyText(keyOf(object))}`)),
        ),
        store.watch(pods, ({ object }) => {
          const { namespace = "" } = object.metadata;
          for (const name of claimsOf(object)) add(`${claims.plural} ${keyText({ namespace, name })}`);
        }),
      ],
      reconcile,
    }),
    admission: [protection],
  };
};
