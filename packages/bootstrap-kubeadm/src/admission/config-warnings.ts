import { textsIn } from "@capstan/kit/admission";
import { isBase64, jinjaProblems, looksLikeJinja } from "@capstan/kit/bootstrap";
import { isJsonObject } from "@capstan/schema";
import { kubeadmWarnings } from "./kubeadm-warnings.ts";

type Warn = (spec: Readonly<Record<string, unknown>>, path: string) => readonly string[];

/** The members of a list of objects. The schema is checked later: a list may be anything yet. */
const entries = (list: unknown): readonly (readonly [Readonly<Record<string, unknown>>, number])[] =>
  Array.isArray(list)
    ? list.flatMap((entry: unknown, index) => (isJsonObject(entry) ? [[entry, index] as const] : []))
    : [];

const ownFiles: Warn = ({ files }, path) =>
  entries(files).flatMap(([{ path: file }, index]) =>
    typeof file === "string" &&
    /^\/run\/(?:kubeadm\/kubeadm(?:-join-config)?\.yaml|cluster-api\/placeholder)$/.test(file)
      ? [`${path}.files[${index}].path: the provider overwrites ${file}`]
      : [],
  );

const permissions: Warn = ({ files }, path) =>
  entries(files).flatMap(([{ permissions: mode }, index]) =>
    typeof mode === "string" && !/^(?:0o?)?[0-7]{1,4}$/.test(mode) && !looksLikeJinja(mode)
      ? [`${path}.files[${index}].permissions: ${mode} is not an octal mode such as 0640 and is ignored`]
      : [],
  );

const encodings: Warn = ({ files }, path) =>
  entries(files).flatMap(([{ content, encoding }, index]) =>
    typeof encoding === "string" && encoding.endsWith("base64") && typeof content === "string" && !isBase64(content)
      ? [`${path}.files[${index}].content: not base64, despite its encoding`]
      : [],
  );

/** cloud-init ends the writing of files at one that it cannot unpack, and at an owner that it does not know. */
const endOfFiles: Warn = ({ files, format }, path) =>
  entries(files).flatMap(([{ content, encoding, owner }, index]) => [
    ...(encoding === "gzip" && typeof content === "string"
      ? [`${path}.files[${index}].encoding: gzip is binary; use gzip+base64, or contentFrom`]
      : []),
    ...(format !== "ignition" && typeof owner === "string" && owner.split(":").some((name) => /^\d+$/.test(name))
      ? [`${path}.files[${index}].owner: cloud-init requires names, not the number in ${owner}`]
      : []),
  ]);

const comments: Warn = ({ users }, path) =>
  entries(users).flatMap(([{ gecos }, index]) =>
    typeof gecos === "string" && gecos.includes(":")
      ? [`${path}.users[${index}].gecos: useradd rejects a colon; this user and those after it are not created`]
      : [],
  );

const commandLists = ["bootCommands", "preKubeadmCommands", "postKubeadmCommands"] as const;

const lineEnds: Warn = (spec, path) =>
  commandLists.flatMap((list) =>
    textsIn(spec[list], `${path}.${list}`).flatMap(([field, text]) =>
      text.includes("\r") ? [`${field}: a shell treats the carriage return as part of the word; use line feeds`] : [],
    ),
  );

const passwords: Warn = ({ users }, path) =>
  entries(users).flatMap(([{ passwd }, index]) =>
    typeof passwd === "string" && !/^[$*!]/.test(passwd) && !looksLikeJinja(passwd)
      ? [`${path}.users[${index}].passwd: not a password hash (see mkpasswd); login will fail`]
      : [],
  );

const jinjaInIgnition: Warn = (spec, path) =>
  spec["format"] === "ignition"
    ? textsIn(spec, path).flatMap(([field, text]) =>
        text.includes("{{") ? [`${field}: Ignition does not render Jinja; it stays as written`] : [],
      )
    : [];

/** Removes parts that are rendered differently: files in another encoding, and the provider's templates. */
const withoutOther = ({ files, ...spec }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...spec,
  files: entries(files).map(([file]) => (file["contentFormat"] === "Template" ? { ...file, content: "" } : file)),
});

/** In bytes. What clouds take as user data is often no more than the second, and hardly anywhere more than the first. */
const userDataLimits = [65_536, 16_384] as const;

/** Warnings about Jinja that a config gets at most: one mistake often comes again and again. */
const mostOfJinja = 10;

const sizeOf = (texts: readonly (readonly [string, string])[]): number =>
  texts.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);

/** Statements may begin in one command and end in another. Texts that are too much for most clouds are not looked through. */
const jinja: Warn = (spec, path) => {
  if (spec["format"] === "ignition") return [];
  const commands = commandLists.map((list) => textsIn(spec[list], `${path}.${list}`));
  const others = textsIn(
    { ...withoutOther(spec), ...Object.fromEntries(commandLists.map((list) => [list, []])) },
    path,
  );
  return [...commands, ...others.map((other) => [other])]
    .filter((texts) => sizeOf(texts) <= userDataLimits[0])
    .flatMap((texts) =>
      jinjaProblems(texts.map(([, text]) => text)).flatMap((problems, index) =>
        problems.map((problem) => `${texts[index]?.[0]}: ${problem}`),
      ),
    )
    .slice(0, mostOfJinja);
};

/** The texts alone: what the provider adds comes on top, and contents from Secrets are not known yet. */
const size: Warn = (spec, path) => {
  const bytes = sizeOf(textsIn(spec, path));
  const limit = userDataLimits.find((limitBytes) => bytes > limitBytes);
  return limit === undefined
    ? []
    : [
        `${path}: its contents have ${bytes} bytes, but many clouds limit user data to ${limit / 1024} KiB; ` +
          "machines there need an object store, or data that compresses well",
      ];
};

/** Returns warnings about settings that the schema allows but that will fail on a machine. */
export const configWarnings = (spec: unknown, path: string): readonly string[] =>
  isJsonObject(spec)
    ? [
        ownFiles,
        permissions,
        encodings,
        endOfFiles,
        passwords,
        comments,
        lineEnds,
        kubeadmWarnings,
        jinja,
        jinjaInIgnition,
        size,
      ].flatMap((warn) => warn(spec, path))
    : [];
