package stampede.spring;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.util.List;

/** No record: a constructor could not tell a key that is null from one that is absent. */
class SchemaBody {
    @NotNull
    @Size(max = 3)
    public List<BigDecimal> requiredKey;

    @JsonSetter(nulls = Nulls.FAIL)
    public String someKey;

    @JsonSetter(nulls = Nulls.FAIL)
    public BigDecimal someOtherKey;

    public BigDecimal nullableKey;

    @JsonSetter(nulls = Nulls.FAIL)
    public Object multipleTypesKey;

    @JsonSetter(nulls = Nulls.FAIL)
    public Object multipleRestrictedTypesKey;

    @JsonSetter(nulls = Nulls.FAIL)
    @Pattern(regexp = "John|Foo")
    public String enumKey;

    @AssertTrue(message = "does not hold integers alone")
    boolean isRequiredKey() {
        return requiredKey == null || requiredKey.stream().allMatch(SchemaBody::isInteger);
    }

    @AssertTrue(message = "is neither a boolean nor a number")
    boolean isMultipleTypesKey() {
        return multipleTypesKey == null
                || multipleTypesKey instanceof Boolean
                || multipleTypesKey instanceof Number;
    }

    @AssertTrue(message = "is neither a short text nor a large number")
    boolean isMultipleRestrictedTypesKey() {
        if (multipleRestrictedTypesKey instanceof String text) {
            return text.codePointCount(0, text.length()) <= 5;
        }
        if (multipleRestrictedTypesKey instanceof Number number) {
            return number.doubleValue() >= 10;
        }
        return multipleRestrictedTypesKey == null;
    }

    private static boolean isInteger(BigDecimal number) {
        return number != null && number.stripTrailingZeros().scale() <= 0;
    }
}
