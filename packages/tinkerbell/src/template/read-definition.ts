import { readYamlTexts, YamlError } from "@capstan/kube-values/yaml";
import { isJsonObject, type JsonObject } from "@capstan/schema";
import type { ActionDefinition, TaskDefinition, WorkflowDefinition } from "./definition.ts";
import { invalidTemplate } from "../errors.ts";

/** Where a value stands, for messages: `tasks[0].actions[1].timeout`. */
type Reader<T> = (value: unknown, field: string) => T;

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === "";

const text: Reader<string> = (value, field) => {
  if (isNothing(value)) return "";
  if (typeof value !== "string") throw invalidTemplate(`${field} must be a text`);
  return value;
};

const seconds: Reader<number> = (value, field) => {
  if (isNothing(value)) return 0;
  if (typeof value !== "string" || !/^\+?\d{1,15}$/.test(value)) {
    throw invalidTemplate(`${field} must be a number of seconds`);
  }
  return Number(value);
};

const listOf =
  <T>(read: Reader<T>): Reader<readonly T[]> =>
  (value, field) => {
    if (isNothing(value)) return [];
    if (!Array.isArray(value)) throw invalidTemplate(`${field} must be a list`);
    return value.map((item, index) => read(item, `${field}[${index}]`));
  };

const members: Reader<JsonObject> = (value, field) => {
  if (isNothing(value)) return {};
  if (!isJsonObject(value)) throw invalidTemplate(`${field} must be a map`);
  return value;
};

const texts: Reader<Readonly<Record<string, string>>> = (value, field) =>
  Object.fromEntries(Object.entries(members(value, field)).map(([name, of]) => [name, text(of, `${field}.${name}`)]));

/** Lines and separators of the largest definition. */
const largestMarks = 80_000;

/** The name of a workflow, a task or an action. */
const name: Reader<string> = (value, field) => {
  const read = text(value, field);
  const bytes = Buffer.byteLength(read);
  if (bytes === 0 || bytes > 199) throw invalidTemplate(`${field} must have 1 to 199 bytes, not ${bytes}`);
  return read;
};

/** A reference to an image in its short or long form: host, path, tag, digest. */
const imagePattern =
  /^(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::\d+)?\/)?[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$/;

const image: Reader<string> = (value, field) => {
  const read = text(value, field);
  if (read.length > 1000 || !imagePattern.test(read)) {
    throw invalidTemplate(
      `${field} must be the reference of an image, such as quay.io/tinkerbell/actions/writefile:latest, not ${JSON.stringify(read)}`,
    );
  }
  return read;
};

const unique = (names: readonly string[], field: string): void => {
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice !== undefined) throw invalidTemplate(`two of ${field} have the name ${JSON.stringify(twice)}`);
};

const action: Reader<ActionDefinition> = (value, field) => {
  const of = members(value, field);
  const namespaces = members(of["namespaces"], `${field}.namespaces`);
  return {
    name: name(of["name"], `${field}.name`),
    image: image(of["image"], `${field}.image`),
    timeout: seconds(of["timeout"], `${field}.timeout`),
    command: listOf(text)(of["command"], `${field}.command`),
    volumes: listOf(text)(of["volumes"], `${field}.volumes`),
    environment: texts(of["environment"], `${field}.environment`),
    pid: text(of["pid"], `${field}.pid`),
    namespaces: {
      network: text(namespaces["network"], `${field}.namespaces.network`),
      pid: text(namespaces["pid"], `${field}.namespaces.pid`),
    },
  };
};

const task: Reader<TaskDefinition> = (value, field) => {
  const of = members(value, field);
  const worker = text(of["worker"], `${field}.worker`);
  if (worker === "") {
    throw invalidTemplate(`${field}.worker must name the agent that runs the task, for example {{.device_1}}`);
  }
  const actions = listOf(action)(of["actions"], `${field}.actions`);
  unique(
    actions.map((each) => each.name),
    `${field}.actions`,
  );
  return {
    name: name(of["name"], `${field}.name`),
    worker,
    volumes: listOf(text)(of["volumes"], `${field}.volumes`),
    environment: texts(of["environment"], `${field}.environment`),
    actions,
  };
};

/**
 * Reads what a Template gave. Texts keep what stands there: `MODE: 0600` is the text 0600. What an action would do after it failed is
 * read by no one. Throws `tink.template_invalid`, which names the field.
 */
export const readDefinition = (yaml: string): WorkflowDefinition => {
  let value: unknown;
  try {
    value = readYamlTexts(yaml, { marks: largestMarks });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const line = error.line === undefined ? "" : `line ${error.line}: `;
    throw invalidTemplate(`what it gives is no YAML: ${line}${error.message}`, error);
  }
  if (!isJsonObject(value)) throw invalidTemplate("what it gives must be a map with name and tasks");
  name(value["name"], "name");
  const tasks = listOf(task)(value["tasks"], "tasks");
  if (tasks.length === 0) throw invalidTemplate("tasks must have one task at least");
  unique(
    tasks.map((each) => each.name),
    "tasks",
  );
  return { globalTimeout: seconds(value["global_timeout"], "global_timeout"), tasks };
};
