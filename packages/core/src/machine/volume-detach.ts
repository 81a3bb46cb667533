import { byText, keyText, keyOf } from "@capstan/kube-values";
import type { DrainTarget } from "./drain.ts";
import { decidePods } from "./drain.ts";
import type { PersistentVolume, Pod } from "../object/workload-kinds.ts";
import { isUnreachable, PersistentVolumes, VolumeAttachments } from "../object/workload-kinds.ts";

const csiPrefix = "kubernetes.io/csi/";

/** The name under which a Node's status lists a CSI volume. */
const attachedName = ({ spec }: PersistentVolume): string | undefined =>
  spec?.csi === undefined ? undefined : `${csiPrefix}${spec.csi.driver}^${spec.csi.volumeHandle}`;

const claimKey = ({ spec }: PersistentVolume): string | undefined =>
  spec?.claimRef?.name === undefined ? undefined : keyText({ ...spec.claimRef, name: spec.claimRef.name });

const claimsOf = (pod: Pod): readonly string[] =>
  (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim === undefined ? [] : [keyText({ ...keyOf(pod), name: persistentVolumeClaim.claimName })],
  );

/**
 * Returns the attached volumes, merged from the two sources that report them, without those claimed only by Pods that a
 * drain leaves alone.
 */
export const volumesToAwait = (input: {
  readonly volumesAttached: readonly string[];
  /** PersistentVolume names of VolumeAttachments that are attached. */
  readonly attachments: readonly string[];
  readonly volumes: readonly PersistentVolume[];
  readonly ignoredClaims: ReadonlySet<string>;
}): readonly string[] => {
  const byAttachedName = new Map(input.volumes.map((volume) => [attachedName(volume), volume]));
  const byName = new Map(input.volumes.map((volume) => [volume.metadata.name, volume]));
  const attached = new Map<string, PersistentVolume | undefined>();
  for (const name of input.volumesAttached) {
    if (!name.startsWith(csiPrefix)) continue;
    const volume = byAttachedName.get(name);
    attached.set(volume?.metadata.name ?? name, volume);
  }
  for (const name of input.attachments) attached.set(name, byName.get(name));
  return [...attached]
    .filter(([, volume]) => {
      const claim = volume === undefined ? undefined : claimKey(volume);
      return claim === undefined || !input.ignoredClaims.has(claim);
    })
    .map(([name]) => name)
    .sort(byText);
};

/** The volumes that still hang on the Node; none when the Node no longer answers. */
export const attachedVolumes = async (target: DrainTarget): Promise<readonly string[]> => {
  const { client, node } = target;
  if (isUnreachable(node)) return [];
  const nodeName = node.metadata.name ?? "";
  const volumesAttached = (node.status?.volumesAttached ?? []).map(({ name }) => name);
  const { items } = await client.list(VolumeAttachments);
  const attachments = items
    .filter(({ spec, status }) => spec?.nodeName === nodeName && status?.attached === true)
    .flatMap(({ spec }) => spec?.source?.persistentVolumeName ?? []);
  if (volumesAttached.length === 0 && attachments.length === 0) return [];
  const volumes = (await client.list(PersistentVolumes)).items;
  const decided = await decidePods(target);
  const claims = (wanted: boolean): readonly string[] =>
    decided.filter(({ decision }) => (decision.action === "skip") === wanted).flatMap(({ pod }) => claimsOf(pod));
  const drained = new Set(claims(false));
  const ignoredClaims = new Set(claims(true).filter((claim) => !drained.has(claim)));
  return volumesToAwait({ volumesAttached, attachments, volumes, ignoredClaims });
};
