import { boolean, enumOf, list, object, optional, string } from "@capstan/schema";

const bootDevice = {
  device: string({ description: "The device, for example pxe, disk or cdrom." }),
  efiBoot: optional(boolean({ description: "Whether the firmware boots by UEFI." })),
} as const;

const actions = (description: string) =>
  list(
    object(
      {
        powerAction: optional(
          enumOf(["on", "off", "soft", "status", "cycle", "reset"], { description: "What is done with the power." }),
        ),
        oneTimeBootDeviceAction: optional(
          object(
            {
              device: list(bootDevice.device, { description: "The device; only the first is used." }),
              efiBoot: bootDevice.efiBoot,
            },
            { description: "Sets the device of the next boot." },
          ),
        ),
        bootDevice: optional(
          object(
            {
              device: optional(bootDevice.device),
              efiBoot: bootDevice.efiBoot,
              persistent: optional(boolean({ description: "Whether it is set for all boots to come." })),
            },
            { description: "Sets the device of boots." },
          ),
        ),
        virtualMediaAction: optional(
          object(
            {
              kind: string({ description: "Kind of the medium, for example CD." }),
              mediaURL: optional(string({ description: "Address of the medium; ejects what is there when empty." })),
            },
            { description: "Inserts a virtual medium." },
          ),
        ),
      },
      { description: "One thing that the machine's BMC is asked for.", maxProperties: 1 },
    ),
    { description },
  );

/** How a machine is brought to boot into the installer. */
export const bootOptions = () =>
  object(
    {
      bootMode: optional(
        enumOf(["netboot", "isoboot", "iso", "customboot"], {
          description:
            "What the machine's BMC does before the workflow. Unset: somebody else boots the machine from the network.",
        }),
      ),
      isoURL: optional(string({ description: "Address of the installer's ISO, for isoboot and iso.", format: "uri" })),
      custombootConfig: optional(
        object(
          {
            preparingActions: optional(actions("What the BMC does before the workflow.")),
            postActions: optional(actions("What the BMC does after the workflow.")),
          },
          { description: "What the BMC does, for customboot." },
        ),
      ),
    },
    { description: "How the machine is brought to boot into the installer." },
  );
