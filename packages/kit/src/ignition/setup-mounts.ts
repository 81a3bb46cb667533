import { own } from "@capstan/schema";
import type { DiskSetup, MachineSetup } from "../bootstrap/machine-setup.ts";
import { escapedPath, unitText } from "./systemd.ts";

const byTag: Readonly<Record<string, string>> = {
  LABEL: "by-label",
  UUID: "by-uuid",
  PARTLABEL: "by-partlabel",
  PARTUUID: "by-partuuid",
};

/** The device of the file system with this very label; else what fstab means by it. */
const deviceOf = (what: string, { filesystems = [] }: DiskSetup): string => {
  const [tag = "", of = ""] = what.split("=", 2);
  const label = tag === "LABEL" ? of : what;
  const known = filesystems.find((filesystem) => filesystem.label === label)?.device;
  return known ?? (own(byTag, tag) === undefined ? what : `/dev/disk/${own(byTag, tag)}/${of}`);
};

/** A unit for every line of fstab. */
export const mountUnits = ({
  diskSetup = {},
  mounts = [],
}: MachineSetup): readonly { readonly name: string; readonly contents: string }[] =>
  mounts.flatMap(([what = "", where = "", type = "", options = ""]) =>
    where === "" || where === "none"
      ? []
      : {
          name: `${escapedPath(where)}.mount`,
          contents: unitText({
            Unit: { Before: "local-fs.target" },
            Mount: {
              What: deviceOf(what, diskSetup),
              Where: where,
              Type: type === "auto" ? "" : type,
              Options: options,
            },
            Install: { WantedBy: "local-fs.target" },
          }),
        },
  );
