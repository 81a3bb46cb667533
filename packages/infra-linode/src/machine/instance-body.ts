import { ownerTag, withEpoch } from "@capstan/kit/engine";
import type { Random } from "@capstan/contract";
import type { Identity } from "@capstan/kit/machine";
import { presentFields } from "@capstan/kube-values";
import type { CreateInstance } from "@capstan/linode-client";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { usesLinodeInterfaces } from "./configuration.ts";
import { instanceInterfaces } from "./interfaces.ts";
import type { VlanPlace } from "./interfaces.ts";
import { wantedTags } from "./tags.ts";

const defaultImage = "linode/ubuntu22.04";

/** Returns the image of a new instance; `undefined` for one made from a backup, with which the API takes no image. */
export const imageOf = ({ backupID, image }: LinodeMachine["spec"]): string | undefined =>
  image ?? (backupID === undefined ? defaultImage : undefined);

/** Parts of the body that are not in the spec. */
export interface BodyFacts {
  readonly identity: Identity;
  /** MB. */
  readonly bootSize: number | undefined;
  readonly subnetId: number | undefined;
  readonly vlan: VlanPlace | undefined;
  readonly firewallId: number | undefined;
  readonly placementGroupId: number | undefined;
  readonly random: Random;
}

/** The creation request of an instance, but for its label and its user data. It is made switched off: disks and configuration come before its first boot. */
export const instanceBody = (spec: LinodeMachine["spec"], facts: BodyFacts): CreateInstance => {
  const generation = usesLinodeInterfaces(spec) ? "linode" : "legacy_config";
  const interfaces = instanceInterfaces(spec, facts);
  return presentFields({
    region: spec.region,
    type: spec.type,
    image: imageOf(spec),
    booted: false,
    tags: wantedTags({
      specTags: spec.tags ?? [],
      clusterName: facts.identity.clusterName,
      identityTags: withEpoch([facts.identity.tag, ownerTag(facts.identity.owner)], facts.identity),
    }),
    root_pass: rootPassword(spec, facts.random),
    authorized_keys: spec.authorizedKeys,
    authorized_users: spec.authorizedUsers,
    group: spec.group,
    backup_id: spec.backupID,
    backups_enabled: spec.backupsEnabled,
    boot_size: facts.bootSize,
    disk_encryption: spec.diskEncryption,
    placement_group: facts.placementGroupId === undefined ? undefined : { id: facts.placementGroupId },
    firewall_id: generation === "linode" ? undefined : facts.firewallId,
    interfaces,
    interface_generation: interfaces === undefined && generation === "legacy_config" ? undefined : generation,
    network_helper: generation === "linode" ? (spec.networkHelper ?? true) : undefined,
    private_ip: generation === "legacy_config" ? hasPrivateAddress(spec) : undefined,
  });
};

/** Instances of the newer interface generation have none. */
export const hasPrivateAddress = (spec: LinodeMachine["spec"]): boolean =>
  !usesLinodeInterfaces(spec) && (spec.privateIP ?? true);

/** The API wants a way into an image. Without keys it is a password that no one knows. */
const rootPassword = (spec: LinodeMachine["spec"], random: Random): string | undefined => {
  const { authorizedKeys, rootPass } = spec;
  if (rootPass !== undefined && rootPass !== "") return rootPass;
  if (imageOf(spec) === undefined) return undefined;
  if (authorizedKeys !== undefined && authorizedKeys.length > 0) return undefined;
  return Buffer.from(random.bytes(24)).toString("base64url");
};
