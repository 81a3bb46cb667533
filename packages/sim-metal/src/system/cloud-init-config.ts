import { parse } from "yaml";
import type { StoredFile } from "../state.ts";

interface Config {
  readonly datasource?: { readonly Ec2?: { readonly metadata_urls?: readonly string[] } };
}

/** Where the files on a disk say that metadata is, in the form of EC2; the file whose name is last counts. */
export const metadataUrls = (files: Readonly<Record<string, StoredFile>>): readonly string[] => {
  const names = Object.keys(files).filter((path) => /^\/etc\/cloud\/cloud\.cfg\.d\/[^/]+\.cfg$/.test(path));
  const configs = names.toSorted().map((path) => parse(files[path]?.content ?? "") as Config | null);
  return (
    configs
      .flatMap((config) =>
        config?.datasource?.Ec2?.metadata_urls === undefined ? [] : [config.datasource.Ec2.metadata_urls],
      )
      .at(-1) ?? []
  );
};
