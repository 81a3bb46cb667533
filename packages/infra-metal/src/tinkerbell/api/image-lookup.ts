import { optional, string } from "@capstan/schema";

/** Where the operating system's image comes from, of a machine or of all machines of a cluster. */
export const imageLookupFields = {
  imageLookupFormat: optional(
    string({
      description:
        "Address of the image, as a template of Go of {{.BaseRegistry}}, {{.OSDistro}}, {{.OSVersion}} and {{.KubernetesVersion}}.",
    }),
  ),
  imageLookupOSVersion: optional(string({ description: "Version of the distribution, for example 20.04." })),
} as const;

/** Defaults for settings that neither the machine nor its cluster has. */
export const imageDefaults = {
  imageLookupFormat: "{{.BaseRegistry}}/{{.OSDistro}}-{{.OSVersion}}:{{.KubernetesVersion}}.gz",
  imageLookupBaseRegistry: "ghcr.io/tinkerbell/cluster-api-provider-tinkerbell",
  imageLookupOSDistro: "ubuntu",
  imageLookupOSVersion: "20.04",
} as const;
