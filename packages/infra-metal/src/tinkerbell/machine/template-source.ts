import type { ObjectKey } from "@capstan/kube-values";
import { keyText } from "@capstan/kube-values";
import type { Hardware, Template } from "@capstan/tinkerbell/api";
import { imageDefaults } from "../api/image-lookup.ts";
import type { TinkerbellCluster } from "../api/tinkerbell-cluster.v1beta1.ts";
import { TinkerbellReason } from "../api/tinkerbell-conditions.ts";
import type { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { TinkerbellAnnotation } from "../api/tinkerbell-marks.ts";
import { type ImageAddress, imageAddress } from "../image/image-address.ts";
import { defaultTemplate } from "./default-template.ts";
import { diskOf, hardwareName } from "./hardware-facts.ts";

/** Objects and settings that determine the Template of a machine. */
export interface TemplateInput {
  readonly machine: TinkerbellMachine;
  readonly hardware: Hardware;
  /** `undefined` where the Cluster's infrastructure is another provider's. */
  readonly cluster: TinkerbellCluster | undefined;
  readonly version: string;
  /** Where installed systems find their metadata; `undefined`: no one said. */
  readonly metadataUrl: string | undefined;
  readonly template: (key: Required<ObjectKey>) => Template | undefined;
}

/** A Template's text, or why there is none, as a reason and a message with the fix. */
export type TemplateText = { readonly text: string } | { readonly reason: string; readonly message: string };

const copied = (key: Required<ObjectKey>, named: string, { template }: TemplateInput): TemplateText => {
  const text = template(key)?.spec?.data ?? "";
  if (text !== "") return { text };
  const message = `Template ${keyText(key)}, which ${named} names, does not exist or has no spec.data; create it`;
  return { reason: TinkerbellReason.templateMissing, message };
};

const ofHardware = (input: TemplateInput): TemplateText | undefined => {
  const { hardware } = input;
  const { annotations, namespace = "" } = hardware.metadata;
  const name = annotations?.[TinkerbellAnnotation.templateOverride] ?? "";
  if (name === "") return undefined;
  const named = `the annotation ${TinkerbellAnnotation.templateOverride} of Hardware ${hardwareName(hardware)}`;
  return copied({ namespace, name }, named, input);
};

const ofCluster = (input: TemplateInput): TemplateText | undefined => {
  const { metadata, spec } = input.cluster ?? {};
  const { templateOverride = "", templateOverrideRef: ref } = spec ?? {};
  if (templateOverride !== "") return { text: templateOverride };
  if (ref === undefined) return undefined;
  const { name, namespace = metadata?.namespace ?? "" } = ref;
  const named = `spec.templateOverrideRef of TinkerbellCluster ${metadata?.namespace}/${metadata?.name}`;
  return copied({ namespace, name }, named, input);
};

/** The image that the machine's operating system comes from. */
const imageOf = ({ cluster, machine, version }: Omit<TemplateInput, "hardware">): ImageAddress => {
  const own = machine.spec ?? {};
  const shared = cluster?.spec;
  const said = (name: keyof typeof imageDefaults): string =>
    [own[name], shared?.[name]].find((value) => value !== undefined && value !== "") ?? imageDefaults[name];
  return imageAddress(said("imageLookupFormat"), {
    BaseRegistry: said("imageLookupBaseRegistry"),
    OSDistro: said("imageLookupOSDistro"),
    OSVersion: said("imageLookupOSVersion"),
    KubernetesVersion: version,
  });
};

const byDefault = (input: TemplateInput, imageOnce: () => ImageAddress): TemplateText => {
  const { hardware, machine, metadataUrl } = input;
  const disk = diskOf(hardware);
  if (disk === undefined) {
    const message = `Hardware ${hardwareName(hardware)} has no spec.disks[0].device; add the disk that the operating system is to be on, or give the machine a template of its own in spec.templateOverride`;
    return { reason: TinkerbellReason.hardwareNotUsable, message };
  }
  if (metadataUrl === undefined) {
    const message =
      "no address of the metadata service for installed systems is known: start the manager with TINKERBELL_METADATA_URL, or with TINKERBELL_ADDRESS, the address of Tinkerbell's services; or give the machine a template of its own in spec.templateOverride";
    return { reason: TinkerbellReason.templateMissing, message };
  }
  const image = imageOnce();
  if ("problem" in image) {
    const message = `spec.imageLookupFormat of the TinkerbellMachine or its TinkerbellCluster: ${image.problem}; correct it`;
    return { reason: TinkerbellReason.imageFormatInvalid, message };
  }
  return { text: defaultTemplate({ name: machine.metadata.name ?? "", imageUrl: image.address, disk, metadataUrl }) };
};

/**
 * The text of the machine's Template on some Hardware: its own, that of the Hardware, that of its cluster, or the default. The address of the
 * image, which a template of the user's makes, is worked out once for all Hardware that is asked about.
 */
export const templateTexts = (
  machineInput: Omit<TemplateInput, "hardware">,
): ((hardware: Hardware) => TemplateText) => {
  const { templateOverride = "" } = machineInput.machine.spec ?? {};
  if (templateOverride !== "") return () => ({ text: templateOverride });
  let image: ImageAddress | undefined;
  return (hardware) => {
    const input = { ...machineInput, hardware };
    return ofHardware(input) ?? ofCluster(input) ?? byDefault(input, () => (image ??= imageOf(machineInput)));
  };
};
