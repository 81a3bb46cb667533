import { own } from "@capstan/schema";
import { StatusError } from "../model/status-error.ts";

/** Format of a response. */
export interface Format {
  readonly media: "json" | "yaml";
  /** Another view of the objects: a Table, or metadata only. */
  readonly as?: { readonly view: "Table" | "PartialObjectMetadata"; readonly version: "v1" | "v1beta1" };
}

export interface AcceptedType {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The media types of an Accept header, most wanted first. */
export const acceptedTypes = (header: string | undefined): readonly AcceptedType[] =>
  (header ?? "")
    .split(",")
    .map((part) => {
      const [type = "", ...parameters] = part.split(";").map((text) => text.trim());
      const pairs = parameters.map((parameter) => {
        const [name = "", ...value] = parameter.split("=");
        return [name.trim().toLowerCase(), value.join("=").replaceAll('"', "")] as const;
      });
      return { type: type.toLowerCase(), parameters: Object.fromEntries(pairs) };
    })
    .filter(({ type }) => type !== "")
    .map((accepted, index) => ({ accepted, index, quality: Number(accepted.parameters["q"] ?? 1) }))
    .filter(({ quality }) => quality > 0)
    .sort((left, right) => right.quality - left.quality || left.index - right.index)
    .map(({ accepted }) => accepted);

const views: Readonly<Record<string, "Table" | "PartialObjectMetadata">> = {
  Table: "Table",
  PartialObjectMetadata: "PartialObjectMetadata",
  PartialObjectMetadataList: "PartialObjectMetadata",
};

const media: Readonly<Record<string, Format["media"]>> = {
  "application/json": "json",
  "application/*": "json",
  "*/*": "json",
  "application/yaml": "yaml",
  "application/vnd.kubernetes.protobuf": "json",
};

const formatOf = ({ type, parameters }: AcceptedType): Format | undefined => {
  const written = own(media, type);
  const { as, g: group, v: version } = parameters;
  if (written === undefined || as === undefined) {
    return written === undefined ? undefined : { media: written };
  }
  const view = own(views, as);
  return view !== undefined && group === "meta.k8s.io" && (version === "v1" || version === "v1beta1")
    ? { media: written, as: { view, version } }
    : undefined;
};

const isProtobuf = ({ type }: AcceptedType): boolean => type === "application/vnd.kubernetes.protobuf";

/**
 * The format of an answer. Protobuf may be asked for and is answered with JSON, which every client of it accepts; a client
 * that names another format too gets that one. Throws a 406.
 */
export const negotiate = (header: string | undefined): Format => {
  if ((header ?? "").trim() === "") {
    return { media: "json" };
  }
  const types = acceptedTypes(header);
  const ordered = [...types.filter((type) => !isProtobuf(type)), ...types.filter(isProtobuf)];
  for (const type of ordered) {
    const format = formatOf(type);
    if (format !== undefined) {
      return format;
    }
  }
  throw new StatusError(
    406,
    "NotAcceptable",
    "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
  );
};
