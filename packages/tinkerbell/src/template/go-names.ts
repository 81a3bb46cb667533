import { own } from "@capstan/schema";
const capital = new Set("dhcp gid guid id ip ipxe iso mac osie pxe pxelinux rpi ssh tftp uefi uid url vlan".split(" "));

/** Fields whose Go names do not follow the rule. */
const irregular: Readonly<Record<string, string>> = {
  allow_pxe: "AllowPxe",
  always_pxe: "AlwaysPxe",
  ipxe_script_url: "IpxeScriptURL",
};

const wordsOf = (name: string): readonly string[] => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/g) ?? [name];

const goWord = (word: string): string =>
  capital.has(word.toLowerCase()) ? word.toUpperCase() : word[0]!.toUpperCase() + word.slice(1);

/** The name of a field in Go by its name in JSON: `lease_time` is `LeaseTime`, `vlan_id` is `VLANID`. */
export const goName = (name: string): string => own(irregular, name) ?? wordsOf(name).map(goWord).join("");
