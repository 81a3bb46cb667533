import { bootFailed } from "../errors.ts";
import { compileTemplate, shortTemplateUnits, TemplateBudget, TemplateError } from "@capstan/go-template";
import type { BmcAction } from "../api/bmc-job.ts";
import type { Hardware } from "../api/hardware.ts";
import type { Workflow } from "../api/workflow.ts";
import { repeatableFunctions } from "../template/functions.ts";
import { legacySpec } from "../template/legacy-hardware.ts";

/** A Job of board management: how its name begins, and what it does. */
export interface BootJob {
  readonly prefix: string;
  readonly actions: readonly BmcAction[];
}

type BootOptions = NonNullable<NonNullable<Workflow["spec"]>["bootOptions"]>;

const usesEfi = ({ spec }: Hardware): boolean => (spec?.interfaces ?? []).some(({ dhcp }) => dhcp?.uefi === true);

const media = (mediaURL: string): BmcAction => ({ virtualMediaAction: { mediaURL, kind: "CD" } });
const bootOnce = (device: string, hardware: Hardware): BmcAction => ({
  oneTimeBootDeviceAction: { device: [device], efiBoot: usesEfi(hardware) },
});

/** Addresses of media in actions of users' own are templates over the spec of the Hardware. */
const withAddress = (action: BmcAction, hardware: Hardware, budget: TemplateBudget): BmcAction => {
  const { virtualMediaAction: of } = action;
  if (of?.mediaURL === undefined || !of.mediaURL.includes("{{")) return action;
  const options = { name: "mediaURL", functions: repeatableFunctions, missingKey: "error", budget } as const;
  try {
    const mediaURL = compileTemplate(of.mediaURL, options).render({ Hardware: legacySpec(hardware) });
    return { virtualMediaAction: { ...of, mediaURL } };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw bootFailed(`an address in spec.bootOptions.custombootConfig cannot be rendered: ${error.message}`, error);
  }
};

/** Returns the board management actions before the workflow; `undefined` if there are none. Throws if a required option is not set. */
export const preparingJob = ({ bootMode, ...options }: BootOptions, hardware: Hardware): BootJob | undefined => {
  switch (bootMode) {
    case "netboot":
      return {
        prefix: "netboot",
        actions: [{ powerAction: "off" }, bootOnce("pxe", hardware), { powerAction: "on" }],
      };
    case "iso":
    case "isoboot": {
      const { isoURL = "" } = options;
      if (isoURL === "") throw bootFailed(`spec.bootOptions.isoURL must be set for the boot mode ${bootMode}`);
      const actions = [media(""), media(isoURL), bootOnce("cdrom", hardware)];
      return { prefix: "iso-mount", actions: [{ powerAction: "off" }, ...actions, { powerAction: "on" }] };
    }
    case "customboot":
      return customJob("customboot-preparing", options.custombootConfig?.preparingActions, hardware);
    default:
      return undefined;
  }
};

/** Returns the board management actions after the workflow; `undefined` if there are none. */
export const postJob = ({ bootMode, custombootConfig }: BootOptions, hardware: Hardware): BootJob | undefined => {
  if (bootMode === "iso" || bootMode === "isoboot") return { prefix: "iso-eject", actions: [media("")] };
  return bootMode === "customboot" ? customJob("customboot-post", custombootConfig?.postActions, hardware) : undefined;
};

const customJob = (prefix: string, actions: readonly BmcAction[] = [], hardware: Hardware): BootJob | undefined => {
  const budget = new TemplateBudget(shortTemplateUnits);
  return actions.length === 0
    ? undefined
    : { prefix, actions: actions.map((action) => withAddress(action, hardware, budget)) };
};
