import { enumOf, optional, string, textField } from "@capstan/schema";

/** Fields of one file to write, beside the source of its content. */
export const fileFields = {
  path: string({ description: "Path of the file." }),
  owner: textField("User and group, for example root:root."),
  permissions: textField("Mode in octal, for example 0640."),
  encoding: optional(
    enumOf(["base64", "gzip", "gzip+base64"], { description: "How the content is encoded; plain when unset." }),
  ),
  content: textField("The content."),
};

/** Name and key of an object's data. */
export const contentKey = {
  name: string({ description: "Name of the object." }),
  key: string({ description: "Key in its data." }),
};
