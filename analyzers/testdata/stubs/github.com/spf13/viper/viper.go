// Package viper has the shape of settings that are looked up by name. Written by hand.
package viper

import "github.com/spf13/pflag"

func GetBool(key string) bool { panic("stub") }

func GetString(key string) string { panic("stub") }

func BindPFlag(key string, flag *pflag.Flag) error { panic("stub") }

func Unmarshal(rawVal any) error { panic("stub") }
