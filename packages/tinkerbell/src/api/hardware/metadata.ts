import { flagField, int64, list, object, optional, textField, textsField } from "@capstan/schema";
import { storage } from "./storage.ts";

const operatingSystem = (description: string) =>
  optional(
    object(
      {
        slug: textField("Short name with the version."),
        distro: textField("Distribution."),
        version: textField("Version of the distribution."),
        image_tag: textField("Tag of the image."),
        os_slug: textField("Short name of the system."),
      },
      { description },
    ),
  );

const address = object(
  {
    address: textField("The address."),
    netmask: textField("Its netmask."),
    gateway: textField("The gateway of its network."),
    family: optional(int64({ description: "4 or 6." })),
    public: flagField("Whether it is reachable from the internet."),
    management: flagField("Whether the machine is managed by it."),
  },
  { description: "An address." },
);

const instance = object(
  {
    id: textField("Id of the instance; by it metadata is found, and workers are known by default."),
    state: textField("Its state."),
    hostname: textField("Its host name."),
    allow_pxe: flagField("Whether it may boot from the network."),
    rescue: flagField("Whether it boots a rescue system."),
    operating_system: operatingSystem("Its operating system."),
    always_pxe: flagField("Whether it boots from the network each time."),
    ipxe_script_url: textField("Address of its iPXE script."),
    ips: optional(list(address, { description: "Its addresses." })),
    userdata: textField("User data of older versions; spec.userData is what is served."),
    crypted_root_password: textField("Password of root, hashed."),
    tags: textsField("Its tags.", "A tag."),
    storage: optional(storage()),
    ssh_keys: textsField("Public keys that may log in.", "A public key."),
    network_ready: flagField("Whether its network is set up."),
  },
  { description: "The instance on this hardware." },
);

/** Returns the schema of the metadata that the metadata service serves for a machine. */
export const hardwareMetadata = () =>
  object(
    {
      state: textField("State of the machine."),
      bonding_mode: optional(int64({ description: "How its network cards are bonded." })),
      manufacturer: optional(
        object({ id: textField("Id."), slug: textField("Short name.") }, { description: "Who made the machine." }),
      ),
      instance: optional(instance),
      custom: optional(
        object(
          {
            preinstalled_operating_system_version: operatingSystem("The system it was delivered with."),
            private_subnets: textsField("Ranges of private networks.", "A range."),
          },
          { description: "Further settings." },
        ),
      ),
      facility: optional(
        object(
          {
            plan_slug: textField("Short name of the machine's plan."),
            plan_version_slug: textField("Short name of the plan's version."),
            facility_code: textField("Short name of the place."),
          },
          { description: "Where the machine is." },
        ),
      ),
    },
    { description: "What the metadata service serves of the machine." },
  );
