package ruletest
import ("testing";"fmt";"os";"github.com/kubevet/kubevet/rules")
func TestZZ(t *testing.T){ if os.Getenv("DUMP")=="" {t.Skip()}; for _,r:=range rules.Catalogue(){ exs,_:=Examples(r,"manifest"); for _,ex:=range exs { fs,err:=lintManifest(ex,false); if err!=nil {fmt.Println(err)}; for _,f:=range fs { fmt.Printf("%s.md:%d %d:%d-%d:%d [%s] %s", r.ID, ex.Line+f.Line, f.Line,f.Column,f.EndLine,f.EndColumn, f.Rule, subject(f)); if f.Server!=nil {fmt.Printf(" | %s: %s", f.Server.Kind,f.Server.Text)}; fmt.Println()}}}}
