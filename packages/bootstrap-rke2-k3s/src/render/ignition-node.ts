import { bootstrapSentinel } from "@capstan/contract";
import { ignitionDocument, type MachineSetup, scriptUnit } from "@capstan/kit/bootstrap";
import type { Translation } from "@capstan/kit/bootstrap";
import type { Distribution } from "./distribution.ts";

/** Survives a restart of the machine: the script runs no second time. */
export const lastingSentinel = bootstrapSentinel.replace(/^\/run\//, "/etc/");

/** The Ignition config of a machine: a script with the commands, run once by a unit. SELinux and the layout of the disk stay as they are. */
export const ignitionNode = (
  { name }: Distribution,
  setup: MachineSetup,
  additional: Translation | undefined,
): string => {
  const path = `/etc/${name}-install.sh`;
  return ignitionDocument(setup, {
    additional,
    run: {
      script: { path, owner: "root:root", permissions: "0700" },
      header: "#!/bin/bash\nset -euo pipefail",
      unit: {
        name: `${name}-install.service`,
        contents: scriptUnit({
          description: `Makes this machine a Node with ${name}`,
          condition: `!${lastingSentinel}`,
          wants: "network-online.target",
          after: "network-online.target dbus.service",
          command: path,
        }),
      },
    },
  });
};
