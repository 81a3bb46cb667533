import type { ObjectRef, Referenced, Use, UsePlace } from "@capstan/kit/engine";
import { referenced } from "@capstan/kit/engine";
import { watched } from "@capstan/kit";
import { keyOf, keyText } from "@capstan/kube-values";
import type { ObjectKey } from "@capstan/kube-values";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject, ObjectReference } from "@capstan/schema";
import { AddressSet } from "../api/address-set.v1alpha2.ts";
import { FirewallRule } from "../api/firewall-rule.v1alpha2.ts";
import { LinodeFirewall } from "../api/linode-firewall.v1alpha2.ts";

/** References with a name; those without a namespace point to that of the referrer. */
export const namedObjects = (
  refs: readonly ObjectReference[] | undefined,
  { metadata }: KubeObject,
): readonly (ObjectKey & { readonly namespace: string })[] =>
  (refs ?? []).flatMap(({ name, namespace }) =>
    name === undefined || name === ""
      ? []
      : [{ name, namespace: namespace === undefined || namespace === "" ? (metadata.namespace ?? "") : namespace }],
  );

/** The FirewallRules that a firewall refers to. */
const rulesOf = (firewall: LinodeFirewall): readonly ObjectRef[] => {
  const { inboundRuleRefs = [], outboundRuleRefs = [] } = firewall.spec;
  return namedObjects([...inboundRuleRefs, ...outboundRuleRefs], firewall);
};

export const referencedRules = (): Use<Referenced<FirewallRule>, LinodeFirewall> =>
  referenced(FirewallRule, rulesOf, { follows: true });

/** Reads of AddressSets, wherever a firewall comes to them from. */
export interface AddressSets {
  get(key: ObjectKey): AddressSet | undefined;
}

const refersTo = (firewall: LinodeFirewall, rules: readonly FirewallRule[], set: AddressSet): boolean => {
  const own = [...(firewall.spec.inboundRules ?? []), ...(firewall.spec.outboundRules ?? [])].flatMap(
    ({ addressSetRefs }) => namedObjects(addressSetRefs, firewall),
  );
  const throughRules = rules.flatMap((rule) => namedObjects(rule.spec.addressSetRefs, rule));
  const wanted = keyText(keyOf(set));
  return [...own, ...throughRules].some((key) => keyText(key) === wanted);
};

/** AddressSets of the rules of a firewall, its own and the FirewallRules': a change of one wakes the firewall. */
export const addressSets = (): Use<AddressSets, LinodeFirewall> => ({
  permissions: [watched(AddressSet), watched(FirewallRule)],
  attach: () => ({
    sources: [
      watchMapped(AddressSet, (set, { cache }) =>
        cache
          .list(LinodeFirewall)
          .filter((firewall) => {
            const rules = rulesOf(firewall).flatMap((ref) => {
              const { name, namespace = "" } = ref;
              return cache.get(FirewallRule, { name, namespace }) ?? [];
            });
            return refersTo(firewall, rules, set);
          })
          .map(keyOf),
      ),
    ],
    prepare: (cache) => {
      cache.informer(AddressSet);
      cache.informer(FirewallRule);
    },
    open: ({ environment: { cache } }: UsePlace) => ({ get: (key) => cache.get(AddressSet, key) }),
  }),
});
