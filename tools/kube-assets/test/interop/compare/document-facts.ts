import { parse, parseAllDocuments } from "yaml";
import type { AnyObject } from "../world.ts";

/** cloud-init reads YAML as Python does. */
const yaml11 = { version: "1.1" } as const;

/** What kubeadm reads from a file of one or more documents, by kind. */
const kubeadmDocuments = (text: string): object =>
  Object.fromEntries(
    parseAllDocuments(text)
      .map((document) => document.toJS())
      .filter((document) => document !== null)
      .map((document) => [document.kind, document]),
  );

const isKubeadmFile = (path: string): boolean => /\/kubeadm(-join-config)?\.ya?ml$/.test(path);

const isKubeconfig = (text: string): boolean => /^clusters:$/m.test(text);

const contentOf = (path: string, text: string): unknown => {
  if (isKubeadmFile(path)) return kubeadmDocuments(text);
  return isKubeconfig(text) ? parse(text) : text;
};

const dataUrl = (source: string): string => {
  const [, encoding = "", data = ""] = /^data:[^,;]*(;base64)?,(.*)$/s.exec(source) ?? [];
  return encoding === "" ? decodeURIComponent(data) : Buffer.from(data, "base64").toString();
};

const cloudConfig = (text: string): object => {
  const { write_files: files = [], ...others } = parse(text, yaml11);
  return {
    header: text.split("\n", 2),
    order: files.map(({ path }: AnyObject) => path).join(" "),
    files: Object.fromEntries(
      files.map(({ path, content, ...more }: AnyObject) => [path, { ...more, content: contentOf(path, content) }]),
    ),
    ...others,
  };
};

const ignition = (text: string): object => {
  const { storage: { files = [], ...storage } = {}, systemd = {}, ...others } = JSON.parse(text);
  return {
    ...others,
    storage,
    order: files.map(({ path }: AnyObject) => path).join(" "),
    files: Object.fromEntries(
      files.map(({ path, contents, ...more }: AnyObject) => [
        path,
        { ...more, content: contentOf(path, dataUrl(contents?.source ?? "")) },
      ]),
    ),
    units: Object.fromEntries((systemd.units ?? []).map(({ name, ...unit }: AnyObject) => [name, unit])),
  };
};

/** What a bootstrap document says, whichever way it is written; files stand under their paths. */
export const documentMeaning = (format: string, text: string): object =>
  format === "ignition" ? ignition(text) : cloudConfig(text);
