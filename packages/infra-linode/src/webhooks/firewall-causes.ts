import { invalid } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { LinodeFirewall } from "../api/linode-firewall.v1alpha2.ts";
import { asRange } from "../firewall/api-rules.ts";

const examples = { ipv4: "10.0.0.0/8", ipv6: "2600:3c00::/32" } as const;

/** Addresses of a firewall's own rules that are none. */
export const firewallCauses = ({ spec }: LinodeFirewall): readonly Cause[] =>
  (["inboundRules", "outboundRules"] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ addresses = {} }, index) =>
      (["ipv4", "ipv6"] as const).flatMap((family) =>
        (addresses[family] ?? []).flatMap((text, place) =>
          asRange(family, text) === undefined
            ? [
                invalid(
                  `spec.${list}[${index}].addresses.${family}[${place}]`,
                  text,
                  `write for example ${examples[family]}`,
                ),
              ]
            : [],
        ),
      ),
    ),
  );
