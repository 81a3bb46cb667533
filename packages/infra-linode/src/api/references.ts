import { type DeclaredReference, readsSecret } from "@capstan/schema";
import { linodeKind } from "./names.ts";

/** A reference to an object of one of the provider's kinds, whose thing is used. */
const uses = (path: string, plural: string): DeclaredReference => ({
  path,
  target: { group: linodeKind.group, plural },
  verbs: ["get"],
});

/** Credentials of a kind that is one thing at Linode. */
export const credentialsReference = readsSecret("spec.credentialsRef");

export const clusterReferences = [
  credentialsReference,
  readsSecret("spec.objectStore.credentialsRef"),
  readsSecret("spec.objectStore.secondaryCredentialsRef"),
  uses("spec.vpcRef", "linodevpcs"),
  uses("spec.nodeBalancerFirewallRef", "linodefirewalls"),
] as const;

export const machineReferences = [
  credentialsReference,
  uses("spec.vpcRef", "linodevpcs"),
  uses("spec.firewallRef", "linodefirewalls"),
  uses("spec.placementGroupRef", "linodeplacementgroups"),
] as const;

export const ruleReferences = [uses("spec.addressSetRefs[*]", "addresssets")] as const;

export const firewallReferences = [
  credentialsReference,
  ...["inbound", "outbound"].flatMap((way) => [
    uses(`spec.${way}Rules[*].addressSetRefs[*]`, "addresssets"),
    uses(`spec.${way}RuleRefs[*]`, "firewallrules"),
  ]),
] as const;

export const bucketReferences = [credentialsReference, uses("spec.accessKeyRef", "linodeobjectstoragekeys")] as const;

/** The Secret of a key is written; what stands in it is what the templates say, and whoever serves the credentials. */
export const keyReferences: readonly DeclaredReference[] = [
  credentialsReference,
  {
    path: "spec.generatedSecret",
    target: { group: "", plural: "secrets" },
    verbs: ["create", "update"],
    boundTo: ["spec.secretDataFormat", "spec.secretType", "spec.credentialsRef"],
  },
];
