import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const packages = join(import.meta.dirname, "../../../../packages");

/** Domains as the sources spell them, and names of constants that hold one. */
const domains = [
  String.raw`(?:[a-z0-9-]+\.)*(?:x-k8s\.io|capstan\.dev|tinkerbell\.org|cattle\.io)`,
  String.raw`(?:[a-z.]+\.)?\$\{(?:\w*[dD]omain|Group\.\w+|group|host|registration)\}`,
];
const mark = new RegExp(`["'\`](${domains.join("|")})/([A-Za-z][A-Za-z0-9._-]*)["'\`]`, "g");

const isProduct = (file: string): boolean => !/\/sim\/|\.test\.ts$/.test(file);

/** Every annotation, label, finalizer and Secret type that the sources of providers and what they stand on spell out, as they spell it. */
export const spelledMarks = (): readonly string[] => {
  const files = globSync("{contract,kit,core,pki,tinkerbell,bootstrap-*,controlplane-*,infra-*}/src/**/*.ts", {
    cwd: packages,
  });
  const found = files.filter(isProduct).flatMap((file) => {
    const spelled = readFileSync(join(packages, file), "utf8").matchAll(mark);
    return [...spelled].map(([, domain = "", name = ""]) => `${domain}/${name}`);
  });
  return [...new Set(found)].filter((each) => !/\/v\d+((alpha|beta)\d+)?$/.test(each)).toSorted();
};
