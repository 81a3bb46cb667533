import type { Hardware } from "../api/hardware.ts";

/** A directory of metadata: leaves are text, empty where nothing is known. */
export interface Ec2Directory {
  readonly [name: string]: string | Ec2Directory;
}

type Instance = NonNullable<NonNullable<NonNullable<Hardware["spec"]>["metadata"]>["instance"]>;
type Address = NonNullable<Instance["ips"]>[number];

const addressOf = (ips: readonly Address[], fits: (address: Address) => boolean): string =>
  ips.find(fits)?.address ?? "";

const lines = (texts: readonly string[] | undefined): string => (texts ?? []).join("\n");

/** Returns the metadata of a machine as a tree, in the format of EC2 version 2009-04-04. */
export const ec2Tree = ({ spec }: Hardware): Ec2Directory => {
  const { instance, facility } = spec?.metadata ?? {};
  const { id = "", hostname = "", ips = [], operating_system: system } = instance ?? {};
  const { slug = "", distro = "", version = "", image_tag = "" } = system ?? {};
  return {
    // Its contents may stand in a Secret.
    "user-data": "",
    "meta-data": {
      "instance-id": id,
      hostname,
      "local-hostname": hostname,
      iqn: "",
      plan: facility?.plan_slug ?? "",
      facility: facility?.facility_code ?? "",
      tags: lines(instance?.tags),
      "public-ipv4": addressOf(ips, (ip) => ip.family === 4 && ip.public === true),
      "public-ipv6": addressOf(ips, (ip) => ip.family === 6),
      "local-ipv4": addressOf(ips, (ip) => ip.family === 4 && ip.public !== true),
      "public-keys": lines(instance?.ssh_keys),
      "operating-system": { slug, distro, version, image_tag, license_activation: { state: "" } },
    },
  };
};

/** Returns the text of a leaf or the names in a directory, at a path below the version. A trailing slash is ignored. */
export const ec2Text = (tree: Ec2Directory, path: string): string | undefined => {
  let found: string | Ec2Directory | undefined = tree;
  for (const name of path.split("/").filter((part) => part !== "")) {
    if (found === undefined || typeof found === "string") return undefined;
    found = Object.hasOwn(found, name) ? found[name] : undefined;
  }
  if (found === undefined || typeof found === "string") return found;
  const entries = Object.entries(found).map(([name, value]) => (typeof value === "string" ? name : `${name}/`));
  return entries.toSorted().join("\n");
};
