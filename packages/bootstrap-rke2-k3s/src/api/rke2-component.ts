import { mapField, object, optional, textField, textsField } from "@capstan/schema";

/** Settings of a component that the distribution runs. */
export const component = (description: string) =>
  optional(
    object(
      {
        extraArgs: textsField("Further arguments.", "name=value, without dashes."),
        extraEnv: mapField("Further environment variables.", "Value of the variable."),
        extraMounts: mapField("Paths of the machine that the component sees.", "Path in the container."),
        overrideImage: textField("Image instead of the distribution's own."),
      },
      { description },
    ),
  );
