import { InvalidArgumentError, Option } from "commander";

/** Options of providers and object stores as the command line has them: `bootstrap-kubeadm.tokenTtl=30m`, a repeated one after the other. */
export type OptionSettings = readonly string[];

export interface SetOptionFlags {
  readonly setOption?: OptionSettings;
}

export const setOptionName = "--set-option";

/** `OWNER.OPTION=VALUE`; the owner may have dots, as a package of another user's. */
const pattern = /^([^=]+)\.([^.=]+)=(.*)$/s;

/** A setting in its parts. */
export const partsOf = (setting: string): { readonly of: string; readonly name: string; readonly text: string } => {
  const [, of = "", name = "", text = ""] = pattern.exec(setting) ?? [];
  return { of, name, text };
};

const settingOf = (value: string, before: OptionSettings = []): OptionSettings => {
  if (pattern.test(value)) return [...before, value];
  throw new InvalidArgumentError("must be PROVIDER.OPTION=VALUE such as bootstrap-kubeadm.tokenTtl=30m.");
};

export const setOptionOption = (): Option =>
  new Option(
    `${setOptionName} <provider.option=value>`,
    "set an option of a provider or an object store; may be repeated; capstan help options lists them",
  ).argParser(settingOf);

/** The same as words of a command line. */
export const setOptionWords = (settings: OptionSettings): readonly string[] =>
  settings.map((setting) => `${setOptionName}=${setting}`);
