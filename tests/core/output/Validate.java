import java.io.FileInputStream;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;

/** Prints for each file whether veraPDF finds that it is PDF/A-2b, and what is wrong with it. */
public class Validate {
    public static void main(String[] names) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        for (String name : names) {
            var foundry = Foundries.defaultInstance();
            try (var file = new FileInputStream(name);
                    var parser = foundry.createParser(file, PDFAFlavour.PDFA_2_B);
                    var validator = foundry.createValidator(PDFAFlavour.PDFA_2_B, false)) {
                var result = validator.validate(parser);
                System.out.println((result.isCompliant() ? "compliant " : "refused ") + name);
                result.getTestAssertions().stream()
                        .map(check -> "  " + check.getRuleId().getClause() + ": " + check.getMessage())
                        .distinct()
                        .forEach(System.out::println);
            }
        }
    }
}
