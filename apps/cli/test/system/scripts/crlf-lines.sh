#!/bin/bash
echo one
if true; then
  echo two
fi
