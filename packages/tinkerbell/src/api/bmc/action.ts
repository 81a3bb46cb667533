import { boolean, enumOf, flagField, list, object, optional, string, textField } from "@capstan/schema";

const oneTimeBootDevice = object(
  {
    device: list(string({ description: "A device." }), { description: "Devices to boot from; the first is used." }),
    efiBoot: optional(boolean({ description: "Whether it boots by UEFI." })),
  },
  { description: "Boot from a device once; bootDevice is the newer form." },
);

/** One thing that board management does. */
export const bmcAction = (description: string) =>
  object(
    {
      powerAction: optional(
        enumOf(["on", "off", "soft", "status", "cycle", "reset"], { description: "What to do with the power." }),
      ),
      oneTimeBootDeviceAction: optional(oneTimeBootDevice),
      bootDevice: optional(
        object(
          {
            device: textField("pxe, disk, bios, cdrom or safe."),
            persistent: flagField("Whether it stays so; once when unset."),
            efiBoot: flagField("Whether it boots by UEFI."),
          },
          { description: "The device to boot from." },
        ),
      ),
      virtualMediaAction: optional(
        object(
          {
            mediaURL: textField("Address of the image; ejects when empty."),
            kind: string({ description: "Kind of the medium, CD." }),
          },
          { description: "Put in or eject a medium." },
        ),
      ),
    },
    { description, maxProperties: 1 },
  );
